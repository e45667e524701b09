"""Restores what an article's group of paragraphs lacks inside its own element, and removes what is too much.

A quotation, a list or a table is an element of its own, so the tree filter assigns it to another group than the
paragraphs around it; `fill_in` restores it. Boxes among the paragraphs have other content; `leave_out_boxes` removes
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Final

from newscrawl.extraction.cleanup.boxes import SURE_NAMES, in_box, in_consent, in_hidden
from newscrawl.extraction.cleanup.cues import fold, is_label
from newscrawl.extraction.cleanup.leave_out import MIN_SHARE_LEFT, unless_too_little
from newscrawl.extraction.element_predicates import Predicate, at_or_inside, numbers_of
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.run import HEADING
from newscrawl.page.styles import conceals
from newscrawl.page.tags import INLINE, TAG_NAMES

STRUCTURE_TAGS: Final = frozenset("blockquote ul ol li table dl pre h2 h3 h4".split())
"""Tags whose text belongs to the article around it, however short: quotations, lists, tables, sub-heads."""
MIN_PROSE_WORDS: Final = 10
"""The least words of other text that is restored. With 5 labels get in (naeb precision -.004), with 15 half of the gain
is lost."""
MAX_LINK_DENSITY: Final = 0.333333
"""Boilerpipe's limit (WSDM 2010). A block with a higher link density is a list of links."""

ENOUGH_CHARACTERS: Final = 300
"""The least characters beside a consent notice, or beside hidden text, that may be the article."""
MAX_REFERENCE: Final = 200
"""Characters of an attribute that refers to another element."""
MAX_CONTROL: Final = 3
"""Elements around the text of a control that are looked at."""
_TARGETS: Final = "ids that controls refer to"
_SHOWING: Final = ("hidden", "style", "open")
_DIALOG: Final = TAG_NAMES.index("dialog")
_CONCEALED: Final = "not displayed as the page is written"
_REFERENCES: Final = ("href", "aria-controls", "data-target", "data-bs-target", "onclick", "for", "data-toggle")
_LINES: Final = numbers_of(["p", "li", *INLINE])
_ID: Final = re.compile(r"[A-Za-z][\w:.-]*")
_LAYERS: Final = re.compile(
    r"pop-?up|modal(?!it)|overlay|lightbox|dialog(?!ue)|tooltip|cookie|consent|gdpr|privacy|terms|legal|disclaimer|"
    r"(?<![a-z])(?:agb|impressum|imprint|nutzungsbedingungen|conditions)(?![a-z])"
)
"""Names of layers and notices. A click shows them, but they are no part of an article."""
MIN_SHARE_SHOWN: Final = 0.25
"""The least share of the text that is shown. With less, scripts show the rest, a slide or a section at a time."""


def holds_consent(page: Page, group: Sequence[int]) -> bool:
    """Returns whether part of a group is in a consent notice."""
    return any(map(in_consent(page.elements), {page.runs[i].element for i in group}))


def leave_out_consent(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without consent notices, which may be longer than the article."""
    return _leave_out(
        page, runs, in_consent(page.elements), lambda total: min(ENOUGH_CHARACTERS, total * MIN_SHARE_LEFT)
    )


def leave_out_hidden(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without those in elements with names for hidden text. Appeals for money may be longer than a short
    article."""
    return _leave_out(
        page, runs, in_hidden(page.elements), lambda total: max(ENOUGH_CHARACTERS, total * MIN_SHARE_SHOWN)
    )


def leave_out_undisplayed(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` without those that are not displayed and that no click shows, if enough of the others is left:
    what is hidden in layers and notices, beside the article, or in the middle of it with nothing that opens it."""
    page_runs, elements = page.runs, page.elements
    concealed = in_concealed(page)
    hidden = [i for i in runs if concealed(page_runs[i].inner)]
    if not hidden:
        return tuple(runs)
    among = {*hidden}
    shown = [page_runs[i].element for i in runs if i not in among and page_runs[i].words >= MIN_PROSE_WORDS]
    if not shown:
        return tuple(runs)
    top = common_ancestors(elements, shown)[0]
    if top == shown[0] == shown[-1] and elements.parent[top] != NO_PARENT:  # one paragraph
        top = elements.parent[top]
    end = elements.end_of(top)
    opened: list[tuple[int, int, bool]] = []  # the outermost hidden elements, each with its end
    left_out: set[int] = set()
    for i in hidden:
        element = page_runs[i].inner
        if not opened or not opened[-1][0] <= element < opened[-1][1]:
            while elements.parent[element] != NO_PARENT and concealed(elements.parent[element]):
                element = elements.parent[element]
            is_inside = top < element < end
            opened.append((element, elements.end_of(element), _is_opened(page, element, is_inside=is_inside)))
        if not opened[-1][2]:
            left_out.add(i)
    kept = [i for i in runs if i not in left_out]
    before, after = (sum([len(page_runs[i].text) for i in indices]) for indices in (runs, kept))
    return tuple(kept if after >= min(ENOUGH_CHARACTERS, before * MIN_SHARE_LEFT) else runs)


def in_concealed(page: Page) -> Predicate:
    """Returns the test "is inside an element that is not displayed as the page is written"."""
    elements = page.elements
    found = elements.predicates.get(_CONCEALED)
    if found is not None:
        return found

    read, tag = elements.reader(), elements.tag

    def is_concealed(element: int) -> bool:
        values = read(element, _SHOWING)
        if values is None:
            return tag[element] == _DIALOG
        hidden, style, is_open = values
        if hidden is not None or (tag[element] == _DIALOG and is_open is None):
            return True
        return style is not None and conceals(style, is_line=tag[element] in _LINES)

    found = elements.predicates[_CONCEALED] = at_or_inside(elements, is_concealed)
    return found


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
    if values[0] and _is_target(page)(holder):
        return True
    beside = (page.first_run(holder) - 1, page.first_run(elements.end_of(holder)))
    return any(0 <= i < len(page.runs) and _is_control(page, i, is_inside=is_inside) for i in beside)


def _is_target(page: Page) -> Predicate:
    """Returns the test "has an id that a control of the page refers to". A page has one for all calls."""
    elements = page.elements
    found = elements.predicates.get(_TARGETS)
    if found is None:
        ids: set[str | None] = set()
        for element in range(len(elements)):
            for value in elements.values(element, _REFERENCES) or ():
                if value and len(value) <= MAX_REFERENCE:
                    ids.update(_ID.findall(value))
        found = elements.predicates[_TARGETS] = lambda element: (elements.values(element, ("id",)) or (None,))[0] in ids
    return found


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


def _leave_out(page: Page, runs: Sequence[int], unwanted: Predicate, least: Callable[[int], float]) -> tuple[int, ...]:
    """Returns `runs` without those in unwanted elements, if at least `least` (of all their characters) are left."""
    page_runs = page.runs
    kept = [i for i in runs if not unwanted(page_runs[i].element)]
    if len(kept) == len(runs):
        return tuple(runs)
    before, after = (sum([len(page_runs[i].text) for i in indices]) for indices in (runs, kept))
    return tuple(kept if after >= least(before) else runs)


def fill_in(page: Page, group: Sequence[int], wide: Collection[int]) -> tuple[int, ...]:
    """Returns `group` with those runs of `wide` between its first and last that are in its element, not in a box and
    not directly below the word for "advertisement".

    Its element is the lowest that contains all of the group. If all of the group is in such boxes, as in cards, they
    are those of the article. Linear time.
    """
    if not group:
        return ()
    top = common_ancestors(page.elements, [page.runs[i].element for i in group])
    boxed, inside = in_box(page.elements, top), Inside(page.elements, top[0])
    members, page_runs, first, last = set(group), page.runs, group[0], group[-1]
    added = [
        i
        for i in wide
        if first < i < last
        and i not in members
        and inside.holds(page_runs[i])
        and not is_label(fold(page_runs[i - 1].text))
    ]
    if not all(boxed(page_runs[i].element) for i in group):
        added = [i for i in added if not boxed(page_runs[i].element)]
    return tuple(sorted([*group, *added]))


def leave_out_boxes(page: Page, group: Sequence[int]) -> tuple[int, ...]:
    """Returns `group` without runs in boxes below its element."""
    if not group:
        return ()
    top = common_ancestors(page.elements, [page.runs[i].element for i in group])
    boxed = in_box(page.elements, top, SURE_NAMES)
    return unless_too_little(page, group, [i for i in group if not boxed(page.runs[i].element)])


def common_ancestors(elements: Elements, chosen: Collection[int]) -> tuple[int, ...]:
    """Returns the lowest element that contains all of `chosen` (never empty), and its ancestors, nearest first.

    Elements are numbered in document order, so an element that contains the first and the last contains all. The
    element of a run contains itself.
    """
    first, last = min(chosen), max(chosen)
    holders = {last, *elements.ancestors(last)}
    path = [first, *elements.ancestors(first)]
    return tuple(path[next(place for place, element in enumerate(path) if element in holders) :])


class Inside:
    """Decides which runs below an element are text of the article by their form. Every element is visited once."""

    def __init__(self, elements: Elements, top: int) -> None:
        self._elements = elements
        self._known: dict[int, tuple[bool, bool]] = {NO_PARENT: (False, False), top: (True, False)}

    def holds(self, run: TextRun) -> bool:
        if run.link_density > MAX_LINK_DENSITY:
            return False
        inside, structured = self._place(run.element)
        return inside and (structured or run.words >= MIN_PROSE_WORDS) and not run.hidden

    def _place(self, element: int) -> tuple[bool, bool]:
        """Returns whether `element` is below the top, and whether it is in a quotation, list, table or sub-head
        there."""
        known = self._known
        climbed: list[int] = []
        while element not in known:
            climbed.append(element)
            element = self._elements.parent[element]
        for below in reversed(climbed):
            inside, structured = known[element]
            known[below] = (inside, inside and (structured or self._elements.name(below) in STRUCTURE_TAGS))
            element = below
        return known[element]
