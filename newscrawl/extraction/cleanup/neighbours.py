"""Judges the runs beside adverts again, by the paragraphs around them.

Boilerpipe's classifier (WSDM 2010, Algorithm 2) judges a short block by the blocks before and after it. On present
pages these are often an advert, a pointer to another story or a newsletter form. The content of such a slot changes
with every download, and with it the class of its neighbours, so that sentences of the article would appear and
disappear. So the runs beside a slot are judged once more, by the same rules, as if the slot were missing. The class of
other runs does not depend on a slot.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from newscrawl.extraction.boilerpipe.blocks import SPACER
from newscrawl.extraction.boilerpipe.columns import Columns, classify, take_columns
from newscrawl.extraction.boilerpipe.filters.english import WORDS, find_ends
from newscrawl.extraction.cleanup.boxes import LINK_ONLY, in_box, is_pointer
from newscrawl.extraction.cleanup.within import Inside, common_ancestors
from newscrawl.extraction.element_predicates import Predicate
from newscrawl.page import Page, TextRun
from newscrawl.page.run import IGNORED_BY_BOILERPIPE, TOP_HEADING

AHEAD: Final = 6
"""Runs below the group that are read: a slot or two, and the paragraph that they separate."""
ABOVE: Final = 2
"""Runs above a slot whose class depends on the slot: the classifier reads the next block, and a block is content if the
one below it is (BlockProximityFusion). Below a slot it is one run."""
BELOW: Final = 2
"""Blocks below that run on which its class depends, for the same reasons."""

_SPACER: Final = TextRun("", 0, 0, 0, 0, 0, 0, 0, 0, ())
"""The run of a spacer: it has no words for the classifier."""


def judge_again(page: Page, group: Sequence[int], paragraphs: Sequence[int]) -> tuple[int, ...]:
    """Returns `group` as Boilerpipe would choose it without slots: some runs beside them are added, others removed.

    `paragraphs` are the runs that were the group before others inside its element were restored; a run beside those is
    one of them. Time is linear in the runs between the first and the last of the group.
    """
    if not group:
        return ()
    top = common_ancestors(page.elements, [page.runs[i].element for i in group])
    line, joints = _without_slots(page, group, in_box(page.elements, top))
    if not joints:
        return tuple(group)
    kept = set(group)
    belonging: _Belonging | None = None
    for place, is_content in _beside(page, line, joints).items():
        index = line[place]
        if not is_content:
            kept.discard(index)
        elif index not in kept:
            belonging = belonging or _Belonging(page, group, paragraphs, top[0])
            if belonging.holds(index, alone=place in joints and place + 1 in joints):
                kept.add(index)
    return tuple(sorted(kept or group))


def _without_slots(page: Page, group: Sequence[int], boxed: Predicate) -> tuple[list[int], set[int]]:
    """Returns runs and spacers from above to below the group, and the positions in that list where a slot is
    missing."""
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
        # A member with more words is content whatever is beside it, and is in no slot whatever its names.
        if (run.words <= WORDS or index not in members) and (is_pointer(run) or boxed(run.element)):
            missing = True
            continue
        if missing:
            joints.add(len(line))
            missing = False
        line.append(index)
    return line, joints


def _beside(page: Page, line: Sequence[int], joints: Collection[int]) -> dict[int, bool]:
    """Returns the positions in `line` of the runs beside the joints, each with its class there."""
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
    """Decides which content runs are the article's: siblings of its paragraphs, and what `fill_in` would restore."""

    def __init__(self, page: Page, group: Sequence[int], paragraphs: Sequence[int], top: int) -> None:
        parent, tag = page.elements.parent, page.elements.tag
        self._runs = page.runs
        self._elements = page.elements
        self._first, self._last = group[0], group[-1]
        self._own = {page.runs[i].element for i in paragraphs}
        self._kinds = {(parent[element], tag[element]) for element in self._own}
        self._inside = Inside(page.elements, top)

    def holds(self, index: int, *, alone: bool) -> bool:
        """Returns whether this run is to be added. `alone`: it has slots on both sides, like teasers among pointers."""
        run, element = self._runs[index], self._runs[index].element
        if element in self._own or (self._elements.parent[element], self._elements.tag[element]) in self._kinds:
            return run.link_density < LINK_ONLY and not (index > self._last and self._ends_text(index))
        return not alone and self._first < index < self._last and self._inside.holds(run)

    def _ends_text(self, index: int) -> bool:
        """Returns whether a run below all others heads something else, or says that the text is over."""
        run = self._runs[index]
        return run.flags & TOP_HEADING > 0 or bool(find_ends([run.text], [run.words], [run.link_density]))
