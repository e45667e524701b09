"""Adverts among an article's paragraphs: what stands beside one is judged again, by the paragraphs around it.

Boilerpipe's classifier (WSDM 2010, Algorithm 2) judges a short block by the block before and the one after it, and on
today's pages that is often an advert, a pointer to another story or a form for a newsletter. What such a slot holds
changes with every download, and with it the class of its neighbours: sentences of the article would come and go. So
the runs beside a slot are judged once more, by the same rules, as if nothing stood there. No other run's class can
depend on a slot, so no other is looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from newscrawl.extraction.boilerpipe.blocks import SPACER
from newscrawl.extraction.boilerpipe.columns import Columns, classify, take_columns
from newscrawl.extraction.boilerpipe.filters.english import WORDS, find_ends
from newscrawl.extraction.cleanup.boxes import LINK_ONLY, in_box, is_pointer
from newscrawl.extraction.cleanup.within import Inside, common_ancestors
from newscrawl.extraction.climb import Test
from newscrawl.page import Page, Run
from newscrawl.page.run import IGNORED_BY_BOILERPIPE, TOP_HEADING

AHEAD: Final = 6
"""Runs below the group that are looked at: a slot or two, and the paragraph they cut off."""
ABOVE: Final = 2
"""Runs above a slot whose class depends on what stands in it: the classifier looks at the next block, and a block is
content if the one below it is (BlockProximityFusion). Below a slot it is one."""
BELOW: Final = 2
"""Blocks below that one which its class depends on, for the same reasons."""

_SPACER: Final = Run("", 0, 0, 0, 0, 0, 0, 0, 0, ())
"""The run of a spacer: no word, as the classifier sees it."""


def judge_again(page: Page, group: Sequence[int], paragraphs: Sequence[int]) -> tuple[int, ...]:
    """`group` as Boilerpipe would see it without slots: with more of the runs beside them, and with less.

    `paragraphs` are the runs that were the group before others inside its element were taken back: a run beside those
    is one of them. Time is linear in the runs between the first and the last of the group.
    """
    if not group:
        return ()
    top = common_ancestors(page.elements, [page.runs[i].element for i in group])
    line, joints = _without_slots(page, group, in_box(page.elements, top))
    if not joints:
        return tuple(group)
    kept = set(group)
    belonging = _Belonging(page, group, paragraphs, top[0])
    for place, is_content in _beside(page, line, joints).items():
        index = line[place]
        if not is_content:
            kept.discard(index)
        elif index not in kept and belonging.holds(index, alone=place in joints and place + 1 in joints):
            kept.add(index)
    return tuple(sorted(kept or group))


def _without_slots(page: Page, group: Sequence[int], boxed: Test) -> tuple[list[int], set[int]]:
    """Runs and spacers from above the group to below it, and the places in that list before which a slot is missing."""
    members, runs = set(group), page.runs
    spaced = {before for before, _ in page.spacers}
    line: list[int] = []
    joints: set[int] = set()
    missing = False
    for index in range(max(0, group[0] - ABOVE - 1), min(len(runs), group[-1] + AHEAD + 1)):
        run = runs[index]
        if index in spaced:
            line.append(SPACER)
        if run.flags & IGNORED_BY_BOILERPIPE:
            continue
        # A member of more words is content whatever stands beside it, and in no slot whatever it is called.
        if (run.words <= WORDS or index not in members) and (is_pointer(run) or boxed(run.element)):
            missing = True
            continue
        if missing:
            joints.add(len(line))
            missing = False
        line.append(index)
    return line, joints


def _beside(page: Page, line: Sequence[int], joints: Collection[int]) -> dict[int, bool]:
    """Places in `line` of the runs beside the joints, each with its class there."""
    judged: dict[int, bool] = {}
    for joint in joints:
        first = max(0, joint - ABOVE)
        start = max(0, first - 1)
        runs = [_SPACER if index == SPACER else page.runs[index] for index in line[start : joint + BELOW + 1]]
        content = [*classify(Columns(*take_columns(runs, (), SPACER))), False]
        for place in range(first, joint + 1):
            if line[place] != SPACER:
                judged[place] = content[place - start] or content[place - start + 1]
    return judged


class _Belonging:
    """Which runs that are content are the article's: its paragraphs' siblings, and what `fill_in` would take back."""

    def __init__(self, page: Page, group: Sequence[int], paragraphs: Sequence[int], top: int) -> None:
        parent, tag = page.elements.parent, page.elements.tag
        self._runs = page.runs
        self._elements = page.elements
        self._first, self._last = group[0], group[-1]
        self._own = {page.runs[i].element for i in paragraphs}
        self._kinds = {(parent[element], tag[element]) for element in self._own}
        self._inside = Inside(page.elements, top)

    def holds(self, index: int, *, alone: bool) -> bool:
        """Whether this run is to be added; `alone` with slots on both sides, as teasers in a list of pointers are."""
        run, element = self._runs[index], self._runs[index].element
        if element in self._own or (self._elements.parent[element], self._elements.tag[element]) in self._kinds:
            return run.link_density < LINK_ONLY and not (index > self._last and self._ends_text(index))
        return not alone and self._first < index < self._last and self._inside.holds(run)

    def _ends_text(self, index: int) -> bool:
        """Whether a run below all others heads something else, or says that the text is over."""
        run = self._runs[index]
        return run.flags & TOP_HEADING > 0 or bool(find_ends([run.text], [run.words], [run.link_density]))
