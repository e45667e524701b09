"""The last step of a chain's text: keeps one article without its headline, captions, notes and what follows its end.

The steps in order are `without_source` (HTML that no browser shows), `leave_out_undisplayed`, `drop_beside` (copies,
next articles, comments, adverts), `drop_pointers_around` (links above and below), `drop_around` (comments, captions,
bylines without names), `restore_parts` (posts, tables, items, sub-heads, short paragraphs), the two before again if it
has restored any, `drop_sign_ups`, `leave_out` (headline, captions, asides), `drop_counters` (of pictures), `drop_offer`
(of a paywall), `drop_notes`, `drop_teasers`, `cut_at_end`, `drop_contacts`, and `whole_sentences`, which restores
words. None costs more than .001 of F1 on a news corpus. `one_article` is for extractors that judge blocks one by one,
such as jusText.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final
from urllib.parse import urlsplit

from newscrawl.extraction.cleanup.around import drop_around, headline_of
from newscrawl.extraction.cleanup.boxes import LINK_ONLY, LINK_ONLY_WORDS, WHOLE_TAGS, is_pointer
from newscrawl.extraction.cleanup.copies import drop_beside
from newscrawl.extraction.cleanup.cues import fold, is_continuation, is_end, is_note, may_be_note, names_advert
from newscrawl.extraction.cleanup.leave_out import (
    drop_counters,
    leave_out,
    outside,
    titles,
    unless_too_little,
    without_source,
)
from newscrawl.extraction.cleanup.parts import restore_parts
from newscrawl.extraction.cleanup.paywalls import drop_offer
from newscrawl.extraction.cleanup.sentences import ends_sentence, whole_sentences
from newscrawl.extraction.cleanup.sign_ups import drop_sign_ups
from newscrawl.extraction.cleanup.within import (
    leave_out_boxes,
    leave_out_consent,
    leave_out_hidden,
    leave_out_undisplayed,
)
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import HEADING, LIST_ITEM, TOP_HEADING

CUE_CHARACTERS: Final = 60
"""Longer blocks are sentences, whatever they contain."""
NOTE_WORDS: Final = 40
"""Longer blocks that start like a note are paragraphs."""
COPYRIGHT_SIGNS: Final = ("©", "(c)", "(C)", "Copyright ", "COPYRIGHT ")
"""The beginnings of notes on rights."""
MIN_SHARE_BEFORE_END: Final = 0.7
"""Share of the text that must be above a cue for it to be the end of the text. Earlier cues head boxes: accepting those
costs .015 of F1 on naeb."""
MIN_WORDS_BEFORE_END: Final = 60
"""The limit of Boilerpipe's IgnoreBlocksAfterContentFilter."""
MIN_POINTERS: Final = 2
"""The least links above or below a text that are no part of it."""
MIN_TEASERS: Final = 3
"""The least lines with a link between paragraphs that are teasers by their number."""
LABEL_WORDS: Final = 4
"""The most words of the label of such a line."""
CONTACT_WORDS: Final = 45
MIN_CAPITALS: Final = 4
"""Characters of a label in capitals. Shorter ones are initials, of speakers in an interview."""
LINKED: Final = 0.9
"""Share of the characters after a label that are a link. With less, it is a sentence with a link."""
MIN_SHARE_BELOW_HEADLINE: Final = 0.8
"""Share of the text that must be below the headline, or the text above it is no label: some pages show their headline
in the middle of the text. At .5 one page lost its start, at .95 others keep labels
(docs/design.md, "best")."""
FIRST_ARTICLE_CHARACTERS: Final = 600
"""Characters of text after which another h1 heads another article. Before that it heads a part of this one."""

_HEADING_NAME: Final = re.compile("h[1-6]")
_DASHES: Final = "—–-"
_POSTER: Final = "(@"
_ADDRESS: Final = re.compile(r"\w@\w+\.\w")
_LABELLED: Final = re.compile(r"[\[(]?([^\s:：|]++(?:\s[^\s:：|]++){0,3}+)\s?[:：|]\s?(?=\S)")
"""One to four words, then a colon or a bar, then more."""


def finish(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns those of `runs` that are the article's own text, in linear time."""
    runs = _without_surroundings(page, drop_beside(page, _displayed(page, runs)))
    whole = restore_parts(page, runs)
    if len(whole) > len(runs):  # captions, for example, are restored, too
        runs = _without_surroundings(page, _displayed(page, whole))
    runs = drop_counters(page, leave_out(page, drop_sign_ups(page, runs)))
    runs = drop_teasers(page, drop_notes(page, drop_offer(page, runs)))
    runs = drop_contacts(page, cut_at_end(page, runs))
    return whole_sentences(page, runs)


def _displayed(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    return leave_out_undisplayed(page, without_source(page, runs))


def _without_surroundings(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    return drop_around(page, drop_pointers_around(page, runs))


def one_article(page: Page, runs: Sequence[int], *, parts: bool = False) -> tuple[int, ...]:
    """Returns `runs` outside of boxes, from the headline on and up to the h1 of another article.

    On a page without h1 the headline is the first run that is a title of the page. Without a headline, all of them are
    returned. If much text is above the headline, the runs above it
    are returned too. `parts` is for an extractor that recognises sub-heads. With it, an h1 among `runs` counts as a
    sub-head of the article. So does an h1 between two runs that have the same parent element, because some sites write
    all sub-heads as h1.
    """
    runs = leave_out_boxes(page, leave_out_hidden(page, leave_out_consent(page, runs)))
    wanted = titles(page)
    headings = [i for i, run in enumerate(page.runs) if run.flags & TOP_HEADING and _is_h1(page, run.element)]
    own = [i for i in headings if fold(page.runs[i].text) in wanted]
    first = own[0] if own else None if headings else headline_of(page)
    if first is None:
        return tuple(runs)
    below = [i for i in runs if i > first]
    whole, left = (sum([len(page.runs[i].text) for i in indices]) for indices in (runs, below))
    kept = below if left >= MIN_SHARE_BELOW_HEADLINE * whole else runs
    if not own:
        return tuple(kept)
    others = iter(sorted({*headings}.difference(own, runs if parts else ())))
    heading = next(others, None)
    characters = 0
    for place, index in enumerate(kept):
        while heading is not None and heading <= index:
            in_one = parts and place > 0 and _in_one(page, kept[place - 1], index)
            if heading > own[0] and characters > FIRST_ARTICLE_CHARACTERS and not in_one:
                return tuple(kept[:place])
            heading = next(others, None)
        characters += len(page.runs[index].text)
    return tuple(kept)


def _in_one(page: Page, first: int, second: int) -> bool:
    """Returns whether two runs are children of one element that is a part of the page."""
    above, parent = (page.elements.parent[page.runs[run].element] for run in (first, second))
    return above == parent != NO_PARENT and page.elements.name(parent) != "body"


def drop_pointers_around(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without the first and last ones that are only links: to other articles, to parts of the site or to
    ways of sharing. One alone may be a sentence of the text."""
    page_runs = page.runs
    if len(runs) < MIN_POINTERS:
        return tuple(runs)
    top, second, last_but_one, last = (page_runs[i].linked_words for i in (runs[0], runs[1], runs[-2], runs[-1]))
    if not (top or second or last_but_one or last):  # most texts
        return tuple(runs)
    first, end = _pointers(page, runs), len(runs) - _pointers(page, runs[::-1])
    return unless_too_little(page, runs, runs[first:end])


def _pointers(page: Page, runs: Sequence[int]) -> int:
    """Returns the number of runs that are pointers, with labels between them; 0 with fewer than `MIN_POINTERS`."""
    found = list(takewhile(lambda run: is_pointer(run) or _is_end_label(run), (page.runs[i] for i in runs)))
    return len(found) if sum(map(is_pointer, found)) >= MIN_POINTERS else 0


def _is_end_label(run: TextRun) -> bool:
    return len(run.text) < CUE_CHARACTERS and is_end(fold(run.text))


def drop_notes(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without print and agency notes, pointers to other articles, marks of adverts, and boxes whose
    heading is such a note ("Subscribe to continue reading"), in any language."""
    kept = [i for i in runs if (run := page.runs[i]).words > NOTE_WORDS or not _is_note(run)]
    short = [i for i in kept if len(page.runs[i].text) < CUE_CHARACTERS]
    if names_advert(fold("\n".join([page.runs[i].text for i in short]))):
        left_out = {i for i in short if is_continuation(fold(page.runs[i].text))}
        kept = [i for i in kept if i not in left_out]
    return unless_too_little(page, runs, outside(page, kept, list(_boxes_with_note(page, runs))))


def drop_teasers(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without the lines between paragraphs that are only a link to another page of the site, with or
    without a label: at least `MIN_TEASERS`, each alone between two others. Several in a row are a list of the text,
    and a linked sentence is a part of it."""
    found = [
        place for place, index in enumerate(runs) if page.runs[index].linked_words and _is_teaser(page.runs[index])
    ]
    places = {*found}
    alone = [p for p in found if p and p - 1 not in places and p + 1 not in places]
    if len(alone) < MIN_TEASERS:
        return tuple(runs)
    targets = {link.element: link.href for link in page.links}
    left_out = {p for p in alone if _leads_inside(page, runs[p], targets)}
    if len(left_out) < MIN_TEASERS:
        return tuple(runs)
    return unless_too_little(page, runs, [index for place, index in enumerate(runs) if place not in left_out])


def _is_teaser(run: TextRun) -> bool:
    if run.flags & (HEADING | LIST_ITEM) or run.words > NOTE_WORDS or ends_sentence(run.text):
        return False
    label = run.words - run.linked_words
    is_labelled = 0 < label <= LABEL_WORDS and _LABELLED.match(run.text) is not None
    return run.linked_words >= LINK_ONLY_WORDS and (is_labelled or run.link_density >= LINK_ONLY)


def _leads_inside(page: Page, index: int, targets: Mapping[int, str]) -> bool:
    """Returns whether the links of a run lead to other pages of its site."""
    element, following = page.runs[index].element, index + 1
    end = page.runs[following].element if following < len(page.runs) else len(page.elements)
    hrefs = [targets[e] for e in range(element, max(element, end) + 1) if e in targets][:MIN_TEASERS]
    host = urlsplit(page.url).hostname if page.url else None
    return bool(hrefs) and all(not h.startswith("#") and _host_of(h) in {None, host} for h in hrefs)


def _host_of(href: str) -> str | None:
    try:
        return urlsplit(href).hostname
    except ValueError:
        return ""


def _boxes_with_note(page: Page, runs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yields the elements that begin with a heading that is a note and are no parts of the page, each as its number and
    the first element after it."""
    elements = page.elements
    for index in range(runs[0], runs[-1]) if runs else ():
        run = page.runs[index]
        if run.flags & HEADING and run.words <= NOTE_WORDS and _begins_as_note(run):
            box = elements.parent[_heading_of(page, run.element)]
            if box != NO_PARENT and elements.tag[box] not in WHOLE_TAGS and page.runs[index - 1].element < box:
                yield box, elements.end_of(box)


def _heading_of(page: Page, element: int) -> int:
    """Returns the heading at or above an element of its text."""
    elements = page.elements
    while not _HEADING_NAME.fullmatch(elements.name(element)) and elements.parent[element] != NO_PARENT:
        element = elements.parent[element]
    return element


def cut_at_end(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` up to one that says that the article is over, and without such runs in the middle of it."""
    ends = {i for i in runs if _is_end_label(page.runs[i])}
    if not ends:
        return tuple(runs)
    total = sum([len(page.runs[i].text) for i in runs])
    kept: list[int] = []
    characters = words = 0
    for index in runs:
        run = page.runs[index]
        if index in ends:
            if words >= MIN_WORDS_BEFORE_END and characters >= MIN_SHARE_BEFORE_END * total:
                break
            continue
        kept.append(index)
        characters += len(run.text)
        words += run.words
    return unless_too_little(page, runs, kept)


def drop_contacts(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without the last short ones that contain an e-mail address, the author's or the newsroom's."""
    end = len(runs)
    while end:
        run = page.runs[runs[end - 1]]
        if run.words > CONTACT_WORDS or "@" not in run.text or not _ADDRESS.search(run.text):
            break
        end -= 1
    return unless_too_little(page, runs, runs[:end])


def _is_note(run: TextRun) -> bool:
    if run.text.startswith(COPYRIGHT_SIGNS) or (run.linked_words and (_names_poster(run) or _points_elsewhere(run))):
        return True
    return _begins_as_note(run)


def _begins_as_note(run: TextRun) -> bool:
    return may_be_note(run.text) and is_note(fold(run.text))


def _names_poster(run: TextRun) -> bool:
    """Returns whether a run says who wrote the quoted post above it, and when: `— Ann Bee (@annbee) May 1, 2023`."""
    return run.text[0] in _DASHES and _POSTER in run.text


def _points_elsewhere(run: TextRun) -> bool:
    """Returns whether a run is a label with a link to another page: `Related: The old bridge`, `SEE ALSO: The plan`.

    The label is one that heads what is below articles, or it is in capitals and all the rest is the link.
    """
    if run.flags & HEADING:
        return False
    match = _LABELLED.match(run.text)
    if match is None:
        return False
    label = match[1]
    rest = len(run.text) - match.end()
    if label.isupper() and len(label) >= MIN_CAPITALS and run.link_characters >= LINKED * rest:
        return True
    return is_end(fold(label))


def _is_h1(page: Page, element: int) -> bool:
    parent = page.elements.parent[element]
    return page.elements.name(element) == "h1" or (parent >= 0 and page.elements.name(parent) == "h1")
