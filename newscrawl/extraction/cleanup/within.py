"""Restores what an article's group of paragraphs lacks inside its own element, and removes what is too much.

A quotation, a list or a table is an element of its own, so the tree filter assigns it to another group than the
paragraphs around it; `fill_in` restores it. Boxes among the paragraphs have other content; `leave_out_boxes` removes
them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from newscrawl.extraction.cleanup.boxes import SURE_NAMES, in_box, in_consent, in_hidden
from newscrawl.extraction.cleanup.cues import fold, is_label
from newscrawl.extraction.cleanup.leave_out import MIN_SHARE_LEFT, unless_too_little
from newscrawl.extraction.element_predicates import Predicate
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, Elements

STRUCTURE_TAGS: Final = frozenset("blockquote ul ol li table dl pre h2 h3 h4".split())
"""Tags whose text belongs to the article around it, however short: quotations, lists, tables, sub-heads."""
MIN_PROSE_WORDS: Final = 10
"""The least words of other text that is restored. With 5 labels get in (naeb precision -.004), with 15 half of the gain
is lost."""
MAX_LINK_DENSITY: Final = 0.333333
"""Boilerpipe's limit (WSDM 2010). A block with a higher link density is a list of links."""

ENOUGH_CHARACTERS: Final = 300
"""The least characters beside a consent notice, or beside hidden text, that may be the article."""
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
