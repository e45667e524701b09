"""Finds what stands inside an article's element and is not its text: consent notices, hidden text, boxes, the source of
HTML, headline, captions and asides, offers; and what its group of paragraphs lacks there.

Headline and captions are not part of the text by decision (docs/design.md). By the HTML standard, an aside is only
indirectly related to the text, and small is side comments such as small print. The text of an iframe is for browsers
without it. Precision rises on every news corpus, recall stays.

A quotation, a list or a table is an element of its own, so the tree filter assigns it to another group than the
paragraphs around it; `fill_in` restores it.

Many systems give an offer to subscribe a name (`SURE_NAMES`) or a heading (`notes`). In others its lines are paragraphs
like those of the article, and phrases tell where it begins. They stand in place of the rest of an article that only
subscribers read. A box with a field for a mail address, in which readers sign up, is told by its shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from newscrawl.extraction.cleanup.cues import fold, is_label, read_phrases
from newscrawl.extraction.cleanup.draft import Draft, common_ancestors, holders_of, inside_of, longest_title, titles
from newscrawl.extraction.element_predicates import NamePattern, Predicate, at_or_inside, named, numbers_of, once
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.run import HEADING
from newscrawl.page.styles import conceals
from newscrawl.page.tags import INLINE, TAG_NAMES
from newscrawl.page.words import BLANKLESS

BOX_TAGS: Final = numbers_of("aside button figcaption figure footer form nav".split())


_BEGINNING: Final = re.compile(r"(?:[a-z-](?![?*]))+")
"""The characters at the beginning of a pattern that each match has."""
_LOOKBEHIND: Final = re.compile(r"\(\?<![^)]*\)")


def _any_of(*patterns: str) -> NamePattern:
    """Returns a pattern for any of these, each of which begins with a letter.

    Patterns with the same first letter are grouped, so that most positions of a name are rejected at once: searching
    names of elements is half of the time that boxes take.
    """
    by_letter: dict[str, list[str]] = {}
    for pattern in patterns:
        by_letter.setdefault(pattern[0], []).append(pattern[1:])
    expression = re.compile("|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items()))
    beginnings = (_BEGINNING.match(_LOOKBEHIND.sub("", pattern)) for pattern in patterns)
    return NamePattern(expression, tuple({beginning[0] for beginning in beginnings if beginning}))


def _word(word: str, before: str = r"\w", after: str = r"\b") -> str:
    """Returns a pattern for `word` if none of `before` precedes it and `after` follows."""
    return f"{word[0]}(?<!{before}{word[0]}){word[1:]}{after}"


_CONSENT: Final = (
    *"cookie consent privacy onetrust didomi usercentrics sp_message".split(),
    *(_word(name) for name in ("gdpr", "rgpd", "dsgvo", "cerez")),
)
CONSENT_NAMES: Final = _any_of(*_CONSENT)
"""Names of consent notices, by authors and the makers of such dialogs. Some notices are longer than the article."""
_HIDDEN: Final = tuple(
    _word(name, "[^ ]", "(?= |$)")
    for name in ("hidden", "hide", "d-none", "sr-only", "screen-reader-text", "visually-hidden")
)
HIDDEN_NAMES: Final = _any_of(*_HIDDEN)
"""Names in style libraries for what is not shown."""
_SURE: Final = (
    *_CONSENT,
    *"related recommend newsletter subscri suscri boletin infolettre sign-?up promo".split(),
    *"read-?(?:more|also|next) also-?read".split(),
    *r"authors?\b author-?(?:bio|box|info|desc|card) about-?(?:the-)?author bio\b".split(),
    *"trending most-?(?:read|popular)".split(),
    *"disclaimer disclosure affiliate commission caption credit byline dateline timestamp share sharing social".split(),
    _word("widget", "elementor-", ""),
    _word("card"),
    _word("opt-in"),
    _word("vjs", after=""),
    *"modal(?!it) pop-?up popover tooltip lightbox overlay dialog(?!ue)".split(),
    *"video-?(?:title|desc|info|player|list|js) player(?!s) legend".split(),
    *(f"{name}[-_]*(?:desc|title|text|info|meta|alt)" for name in ("img", "image", "photo", "picture")),
    *_HIDDEN,
)
SURE_NAMES: Final = _any_of(*_SURE)
"""Names in id, class, role and itemprop that are used for boxes only: text in them is removed."""
ANY_NAMES: Final = _any_of(
    *_SURE,
    *"comment(?!ary|ator) most- popular teaser sidebar advert sponsor banner widget footer author".split(),
    _word("ads?"),
    _word("slot", after=""),
)
"""The same with names that are sometimes used for an article's own parts: text in them is not restored."""

LINK_ONLY: Final = 0.8
LINK_ONLY_WORDS: Final = 4
"""A run with at least this many words, nearly all of them linked, is a pointer to another page."""

PAGE_TAGS: Final = numbers_of(["html", "body"])
"""Elements that are no boxes, whatever their names (`<body class="comments-open">`)."""
WHOLE_TAGS: Final = numbers_of("html body main article".split())
"""Elements that contain the article and are no consent notices, whatever their names (`<article
class="tag-privacy">`)."""


def in_box(elements: Elements, top: Iterable[int] = (), names: NamePattern = ANY_NAMES) -> Predicate:
    """Returns a test for "is a box or inside one".

    `top` are the element that contains the article and all above it. They are no boxes, whatever their names.
    """
    among = None if names is ANY_NAMES else _any_box(elements)
    return at_or_inside(elements, named(elements, names, BOX_TAGS, PAGE_TAGS, among=among), top)


def in_consent(elements: Elements) -> Predicate:
    """Returns a test for "is inside a consent notice"."""
    return at_or_inside(elements, named(elements, CONSENT_NAMES, never=WHOLE_TAGS, among=_any_box(elements)))


def is_pointer(run: TextRun) -> bool:
    """Returns whether a run is only a link to another page."""
    return run.linked_words > 0 and run.words >= LINK_ONLY_WORDS and run.link_density >= LINK_ONLY


def in_hidden(elements: Elements) -> Predicate:
    """Returns a test for "is inside an element whose name says that it is not shown"."""
    hidden = named(elements, HIDDEN_NAMES, never=PAGE_TAGS, keys=("class",), among=_any_box(elements))
    return at_or_inside(elements, hidden)


def _any_box(elements: Elements) -> Predicate:
    """Returns the predicate "is a box by its tag or any of its names". All other names of this module are among
    these."""
    return named(elements, ANY_NAMES, BOX_TAGS, PAGE_TAGS)


LINE_WORDS: Final = 25
"""The most words of a line of an offer. Longer runs are paragraphs."""
MAX_LINES: Final = 12
"""The most lines of an offer."""
MIN_WORDS_ABOVE: Final = 15
"""The least words of the free part above an offer."""
MAX_WORDS: Final = 60
"""Words of a box to sign up: an invitation, the field, and what a reader agrees to. Parts of articles have more."""
MAX_LEVELS: Final = 4
"""Elements from the field up to the box."""
MAX_FIELDS: Final = 20
"""Fields of a page that are looked at, the first ones."""

_INPUT: Final = TAG_NAMES.index("input")
_FIELD_KEYS: Final = ("type", "name")
_TEXT_KINDS: Final = frozenset({"", "text"})

PAYWALL_TEXTS: Final = read_phrases(__file__, "phrases/paywalls.txt")
"""Phrases in short runs that replace the rest of an article."""

_OFFERS: Final = tuple(sorted(PAYWALL_TEXTS | read_phrases(__file__, "phrases/offers.txt")))
_KEYS: Final = frozenset(max(phrase.split(), key=len) for phrase in _OFFERS)
"""The longest word of each phrase. Most texts end without one of these words, which are found faster."""
_BLANKLESS: Final = tuple(phrase for phrase in _OFFERS if BLANKLESS.search(phrase))
"""Phrases in scripts without blanks, in which words cannot be told from each other."""


def offer(text: Draft) -> Collection[int]:
    """Finds the offer of a paywall: the short runs at the end from one on which says that subscribers read on."""
    page_runs, runs = text.page.runs, text.runs
    first = end = len(runs)
    while first and end - first < MAX_LINES and page_runs[runs[first - 1]].words <= LINE_WORDS:
        first -= 1
    if first == end:
        return ()
    last = fold("\n".join([page_runs[i].text for i in runs[first:]]))
    if _KEYS.isdisjoint(last.split()) and (last.isascii() or not any(map(last.__contains__, _BLANKLESS))):
        return ()
    start = next((place for place in range(first, end) if _offers(page_runs[runs[place]])), end)
    return runs[start:] if sum([page_runs[i].words for i in runs[:start]]) >= MIN_WORDS_ABOVE else ()


def _offers(run: TextRun) -> bool:
    folded = fold(run.text)
    return any(phrase in folded for phrase in _OFFERS)


def sign_ups(text: Draft) -> Collection[int]:
    """Finds boxes with a field for a mail address and a few sentences around it."""
    return inside_of(text.page, text.runs, _boxes(text.page)) if text.runs else ()


def _boxes(page: Page) -> Iterator[tuple[int, int]]:
    """Yields the boxes with a field for a mail address, each as its number and the first element after it."""
    for field in islice(_mail_fields(page), MAX_FIELDS):
        box: tuple[int, int] | None = None
        for element in islice(page.elements.ancestors(field), MAX_LEVELS):
            if page.elements.tag[element] in WHOLE_TAGS:
                break
            end = page.elements.end_of(element)
            inside = page.runs[page.first_run(element) : page.first_run(end)]
            if sum([run.words for run in inside]) > MAX_WORDS:
                break
            box = element, end
        if box is not None:
            yield box


def _mail_fields(page: Page) -> Iterator[int]:
    """Yields the fields for a mail address: by their type, or by their name."""
    first_of, values_of = page.elements.first_of, page.elements.reader()
    element = -1
    while (element := first_of(_INPUT, element + 1)) >= 0:
        kind, name = values_of(element, _FIELD_KEYS) or (None, None)
        kind = (kind or "").lower()
        if kind == "email" or (kind in _TEXT_KINDS and name and "mail" in name.lower()):
            yield element


STRUCTURE_TAGS: Final = numbers_of("blockquote ul ol li table dl pre h2 h3 h4".split())
"""Tags whose text belongs to the article around it, however short: quotations, lists, tables, sub-heads."""
MIN_PROSE_WORDS: Final = 10
"""The least words of other text that is restored. With 5 labels get in (naeb precision -.004), with 15 half of the gain
is lost."""
MAX_LINK_DENSITY: Final = 0.333333
"""Boilerpipe's limit (WSDM 2010). A block with a higher link density is a list of links."""

LEFT_OUT_TAGS: Final = numbers_of("figcaption aside small nav address time iframe noembed noframes".split())
SOURCE_TAGS: Final = numbers_of("iframe textarea noembed noframes".split())
"""Elements whose content a browser does not read as HTML."""
FALLBACK_TAGS: Final = numbers_of("textarea svg canvas video audio meter progress select datalist annotation".split())
"""Elements whose text is a value, or for browsers without them, or a part of a picture: no reader sees it as text."""

MAX_REFERENCE: Final = 200
"""Characters of an attribute that refers to another element."""
MAX_CONTROL: Final = 3
"""Elements around the text of a control that are looked at."""
_SHOWING: Final = ("hidden", "style", "open")
_DIALOG: Final = TAG_NAMES.index("dialog")
_REFERENCES: Final = ("href", "aria-controls", "data-target", "data-bs-target", "onclick", "for", "data-toggle")
_LINES: Final = numbers_of(["p", "li", *INLINE])
_ID: Final = re.compile(r"[A-Za-z][\w:.-]*")
_LAYERS: Final = re.compile(
    r"pop-?up|modal(?!it)|overlay|lightbox|dialog(?!ue)|tooltip|cookie|consent|gdpr|privacy|terms|legal|disclaimer|"
    r"(?<![a-z])(?:agb|impressum|imprint|nutzungsbedingungen|conditions)(?![a-z])"
)
"""Names of layers and notices. A click shows them, but they are no part of an article."""


def consent(text: Draft) -> Collection[int]:
    """Finds consent notices, which may be longer than the article."""
    return _in(text, in_consent(text.page.elements))


def hidden(text: Draft) -> Collection[int]:
    """Finds what is in elements with names for hidden text. Appeals for money may be longer than a short article."""
    return _in(text, in_hidden(text.page.elements))


def boxes(text: Draft) -> Collection[int]:
    """Finds what is in boxes below the element with all of the text."""
    return _in(text, in_box(text.page.elements, holders_of(text.page, text.runs), SURE_NAMES)) if text.runs else ()


def asides(text: Draft) -> Collection[int]:
    """Finds captions and asides, small print and the text of frames."""
    return _in(text, in_aside(text.page.elements))


def _in(text: Draft, unwanted: Predicate) -> Collection[int]:
    page_runs = text.page.runs
    return [i for i in text.runs if unwanted(page_runs[i].element)]


def headline(text: Draft) -> Collection[int]:
    """Finds the headline, wherever it is repeated."""
    page_runs, wanted, longest = text.page.runs, titles(text.page), longest_title(text.page)
    return [i for i in text.runs if len(page_runs[i].text) <= longest and fold(page_runs[i].text) in wanted]


def source(text: Draft) -> Collection[int]:
    """Finds the source of HTML: an advert in an iframe, or a template that a script reads from a text field; and the
    text of elements that show something else. They are never text, also where nothing else is left."""
    page_runs, tag = text.page.runs, text.page.elements.tag
    inside = in_fallback(text.page.elements)
    return [
        i
        for i in text.runs
        if (page_runs[i].text[:1] == "<" and tag[page_runs[i].element] in SOURCE_TAGS) or inside(page_runs[i].element)
    ]


@once
def in_fallback(elements: Elements) -> Predicate:
    """Returns the test "is inside one of `FALLBACK_TAGS`"."""
    tag = elements.tag
    return at_or_inside(elements, lambda element: tag[element] in FALLBACK_TAGS)


@once
def in_aside(elements: Elements) -> Predicate:
    """Returns the test "is inside one of `LEFT_OUT_TAGS`"."""
    tag = elements.tag
    return at_or_inside(elements, lambda element: tag[element] in LEFT_OUT_TAGS)


def undisplayed(text: Draft) -> Collection[int]:
    """Finds what is not displayed and no click shows: hidden in layers and notices, beside the article, or in the
    middle of it with nothing that opens it."""
    page, runs = text.page, text.runs
    page_runs, elements = page.runs, page.elements
    concealed = in_concealed(elements)
    unseen = [i for i in runs if concealed(page_runs[i].inner)]
    if not unseen:
        return ()
    among = {*unseen}
    shown = [page_runs[i].element for i in runs if i not in among and page_runs[i].words >= MIN_PROSE_WORDS]
    if not shown:
        return ()
    top = common_ancestors(elements, shown)[0]
    if top == shown[0] == shown[-1] and elements.parent[top] != NO_PARENT:  # one paragraph
        top = elements.parent[top]
    end = elements.end_of(top)
    opened: list[tuple[int, int, bool]] = []  # the outermost hidden elements, each with its end
    found: list[int] = []
    for i in unseen:
        element = page_runs[i].inner
        if not opened or not opened[-1][0] <= element < opened[-1][1]:
            while elements.parent[element] != NO_PARENT and concealed(elements.parent[element]):
                element = elements.parent[element]
            is_inside = top < element < end
            opened.append((element, elements.end_of(element), _is_opened(page, element, is_inside=is_inside)))
        if not opened[-1][2]:
            found.append(i)
    return found


@once
def in_concealed(elements: Elements) -> Predicate:
    """Returns the test "is inside an element that is not displayed as the page is written"."""
    read, tag = elements.reader(), elements.tag

    def is_concealed(element: int) -> bool:
        values = read(element, _SHOWING)
        if values is None:
            return tag[element] == _DIALOG
        hidden, style, is_open = values
        if hidden is not None or (tag[element] == _DIALOG and is_open is None):
            return True
        return style is not None and conceals(style, is_line=tag[element] in _LINES)

    return at_or_inside(elements, is_concealed)


def _is_opened(page: Page, holder: int, *, is_inside: bool) -> bool:
    """Returns whether something on the page opens an element that is not displayed: it is in the article and has a name
    by which a script finds it, or a control refers to it or is beside it."""
    elements = page.elements
    values = elements.values(holder, ("id", "class")) or (None, None)
    names = " ".join(filter(None, values)).lower()
    if elements.name(holder) == "dialog" or _LAYERS.search(names):
        return False
    if is_inside and names:
        return True
    if values[0] and _is_target(elements)(holder):
        return True
    beside = (page.first_run(holder) - 1, page.first_run(elements.end_of(holder)))
    return any(0 <= i < len(page.runs) and _is_control(page, i, is_inside=is_inside) for i in beside)


@once
def _is_target(elements: Elements) -> Predicate:
    """Returns the test "has an id that a control of the page refers to"."""
    ids: set[str | None] = set()
    for element in range(len(elements)):
        for value in elements.values(element, _REFERENCES) or ():
            if value and len(value) <= MAX_REFERENCE:
                ids.update(_ID.findall(value))
    return lambda element: (elements.values(element, ("id",)) or (None,))[0] in ids


def _is_control(page: Page, index: int, *, is_inside: bool) -> bool:
    """Returns whether a run beside a hidden element is the text of what opens it: a button, a link that leads nowhere
    else, or in the article a heading, as those of answers to questions."""
    run, elements = page.runs[index], page.elements
    if run.flags & HEADING and is_inside:
        return True
    for element in (run.inner, *islice(elements.ancestors(run.inner), MAX_CONTROL)):
        if elements.name(element) in {"button", "summary", "label"}:
            return True
        href, onclick, role = elements.values(element, ("href", "onclick", "role")) or (None, None, None)
        if onclick or role == "button" or (href is not None and href.strip().startswith(("#", "javascript:"))):
            return True
    return False


def fill_in(page: Page, group: Sequence[int], wide: Collection[int]) -> tuple[int, ...]:
    """Returns `group` with those runs of `wide` between its first and last that are in its element, not in a box and
    not directly below the word for "advertisement".

    Its element is the lowest that contains all of the group. If all of the group is in such boxes, as in cards, they
    are those of the article. Linear time.
    """
    if not group:
        return ()
    top = holders_of(page, group)
    boxed, is_text = in_box(page.elements, top), text_inside(page.elements, top)
    members, page_runs, first, last = set(group), page.runs, group[0], group[-1]
    added = [
        i
        for i in wide
        if first < i < last and i not in members and is_text(page_runs[i]) and not is_label(fold(page_runs[i - 1].text))
    ]
    if not all(boxed(page_runs[i].element) for i in group):
        added = [i for i in added if not boxed(page_runs[i].element)]
    return tuple(sorted([*group, *added]))


def text_inside(elements: Elements, top: Sequence[int]) -> Callable[[TextRun], bool]:
    """Returns a test for "is text of the article by its form, below the first of `top`". Those are an element and its
    ancestors. Every element is visited once."""
    tag = elements.tag
    inside = at_or_inside(elements, top[0].__eq__)
    structured = at_or_inside(elements, lambda element: tag[element] in STRUCTURE_TAGS, top)

    def is_text(run: TextRun) -> bool:
        if run.link_density > MAX_LINK_DENSITY or not inside(run.element):
            return False
        return (run.words >= MIN_PROSE_WORDS or structured(run.element)) and not run.hidden

    return is_text
