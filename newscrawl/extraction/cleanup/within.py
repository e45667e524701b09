"""What an article's group of paragraphs lacks inside its own element, and what it holds too much.

A quotation, a list or a table is an element of its own, so the tree filter counts it to another group than the
paragraphs around it: `fill_in` takes it back. Boxes among the paragraphs hold something else: `leave_out_boxes` drops
them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from newscrawl.extraction.cleanup.boxes import SURE_NAMES, in_box, in_consent, in_hidden
from newscrawl.extraction.cleanup.cues import fold, is_label
from newscrawl.extraction.cleanup.leave_out import MIN_SHARE_LEFT, unless_too_little
from newscrawl.extraction.climb import Test
from newscrawl.page import Page, Run
from newscrawl.page.elements import NO_PARENT, Elements

STRUCTURE_TAGS: Final = frozenset("blockquote ul ol li table dl pre h2 h3 h4".split())
"""Tags whose text belongs to the article around it, however short it is: quotations, lists, tables, sub-heads."""
MIN_PROSE_WORDS: Final = 10
"""Words of other text that is taken back; 5 lets labels in (naeb precision .004 down), 15 loses half of the gain."""
MAX_LINK_DENSITY: Final = 0.333333
"""Boilerpipe's bound (WSDM 2010): above it a block is a list of links."""

ENOUGH_CHARACTERS: Final = 300
"""Text beside a consent notice, or beside what is hidden, that may be the article."""
MIN_SHARE_SHOWN: Final = 0.25
"""Part of the text that is shown; where less is, scripts show the rest, a slide or a section at a time."""


def holds_consent(page: Page, group: Sequence[int]) -> bool:
    """Whether part of a group stands in a consent notice."""
    consenting = in_consent(page.elements)
    return any(consenting(page.runs[i].element) for i in group)


def leave_out_consent(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """`runs` without consent notices, which may be longer than the article."""
    return _leave_out(
        page, runs, in_consent(page.elements), lambda total: min(ENOUGH_CHARACTERS, total * MIN_SHARE_LEFT)
    )


def leave_out_hidden(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """`runs` without what stands in elements named hidden: appeals for money may be longer than a short article."""
    return _leave_out(
        page, runs, in_hidden(page.elements), lambda total: max(ENOUGH_CHARACTERS, total * MIN_SHARE_SHOWN)
    )


def _leave_out(page: Page, runs: Sequence[int], unwanted: Test, least: Callable[[int], float]) -> tuple[int, ...]:
    """`runs` without those in unwanted elements, if of all their characters at least `least` of them are left."""
    page_runs = page.runs
    kept = [i for i in runs if not unwanted(page_runs[i].element)]
    if len(kept) == len(runs):
        return tuple(runs)
    before, after = (sum([len(page_runs[i].text) for i in indices]) for indices in (runs, kept))
    return tuple(kept if after >= least(before) else runs)


def fill_in(page: Page, group: Sequence[int], wide: Collection[int]) -> tuple[int, ...]:
    """`group` and those runs of `wide` between its first and last that stand in its element, in no box
    and not right below the word for "advertisement".

    Its element is the lowest that holds all of the group. Linear time.
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
        and not boxed(page_runs[i].element)
        and not is_label(fold(page_runs[i - 1].text))
    ]
    return tuple(sorted([*group, *added]))


def leave_out_boxes(page: Page, group: Sequence[int]) -> tuple[int, ...]:
    """`group` without runs in boxes below its element."""
    if not group:
        return ()
    top = common_ancestors(page.elements, [page.runs[i].element for i in group])
    boxed = in_box(page.elements, top, SURE_NAMES)
    return unless_too_little(page, group, [i for i in group if not boxed(page.runs[i].element)])


def common_ancestors(elements: Elements, chosen: Collection[int]) -> tuple[int, ...]:
    """The lowest element that holds all of `chosen` (never empty), and its ancestors, nearest first.

    Elements are numbered in document order, so what holds the first and the last of them holds all. A run's element
    holds itself.
    """
    first, last = min(chosen), max(chosen)
    holders = {last, *elements.ancestors(last)}
    path = [first, *elements.ancestors(first)]
    return tuple(path[next(place for place, element in enumerate(path) if element in holders) :])


class Inside:
    """Which runs stand below an element and are text of the article by their shape; every element is seen once."""

    def __init__(self, elements: Elements, top: int) -> None:
        self._elements = elements
        self._known: dict[int, tuple[bool, bool]] = {NO_PARENT: (False, False), top: (True, False)}

    def holds(self, run: Run) -> bool:
        if run.link_density > MAX_LINK_DENSITY:
            return False
        inside, structured = self._place(run.element)
        return inside and (structured or run.words >= MIN_PROSE_WORDS) and not run.hidden

    def _place(self, element: int) -> tuple[bool, bool]:
        """Whether `element` is below the top, and inside a quotation, list, table or sub-head there."""
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
