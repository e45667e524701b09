"""The tree filter: of what an extractor selected, keep the one group of paragraphs that hangs together in the tree.

Viveros-Jiménez et al., "Improving the Boilerpipe Algorithm for Boilerplate Removal in News Articles Using HTML Tree
Structure", Computación y Sistemas 22(2), 2018, section 4. The paper's four steps are the four calls of `tree_filter`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from newscrawl.page import Page, Run
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.tags import TAG_NAMES

PARAGRAPH_TAGS: Final = tuple("div table ul ol p section article h1 h2 h3 h4 h5 h6 header body".split())
"""The fifteen tag names of the paper's first step."""

DEFAULT_DEPTH: Final = 2
"""Grandparents, the best of the five depths in the paper's table 2."""
MAX_DEPTH: Final = 5
"""The furthest ancestor the paper tried."""

_PARAGRAPH_NUMBERS: Final = frozenset(TAG_NAMES.index(name) for name in PARAGRAPH_TAGS)
_BODY: Final = TAG_NAMES.index("body")


def tree_filter(page: Page, runs: Sequence[int], depth: int = DEFAULT_DEPTH) -> tuple[int, ...]:
    """Those of the selected `runs` (indices into `page.runs`, document order) whose group has the most text.

    `depth` is the n of the n-th ancestor that makes a group: 1 is the paragraph's parent, 2 its grandparent.
    Raises ValueError for a depth outside 1 to 5. Time is linear in the number of runs and elements.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"tree filter depth {depth}: must be 1 to {MAX_DEPTH}")
    paragraph_of = identify_paragraphs(page.elements, page.runs, runs)
    ancestors_of = list_ancestors(page.elements, paragraph_of.values(), depth)
    groups = group_by_ancestor(paragraph_of, ancestors_of)
    return select_largest(page.runs, groups)


def identify_paragraphs(elements: Elements, page_runs: Sequence[Run], selected: Iterable[int]) -> dict[int, int]:
    """Step 1: the paragraph (an element) of every selected run.

    It is the nearest of the run's element and its ancestors that bears one of the fifteen names. "A paragraph should
    not contain other paragraphs": if it also holds another of the fifteen that has text, its child on the way down to
    the run stands for it (a blockquote, main, figure ...), and for bare text directly inside it the element itself.
    """
    places = _Places(elements)
    holds_others: set[int] = set()
    for named in {places.of(element)[0] for element in {run.element for run in page_runs}}:
        outer = places.outer(named)
        while outer not in holds_others and outer != NO_PARENT:
            holds_others.add(outer)
            outer = places.outer(outer)
    paragraph_of: dict[int, int] = {}
    for index in selected:
        named, child = places.of(page_runs[index].element)
        paragraph_of[index] = child if named in holds_others else named
    return paragraph_of


def list_ancestors(elements: Elements, paragraphs: Iterable[int], depth: int) -> dict[int, tuple[int, ...]]:
    """Step 2: for every paragraph itself and its ancestors, nearest first, at most `depth` and none beyond body."""
    parent, tag = elements.parent, elements.tag
    ancestors_of: dict[int, tuple[int, ...]] = {}
    for paragraph in paragraphs:
        if paragraph in ancestors_of:
            continue
        path = [paragraph]
        while len(path) <= depth and tag[path[-1]] != _BODY and parent[path[-1]] != NO_PARENT:
            path.append(parent[path[-1]])
        ancestors_of[paragraph] = tuple(path)
    return ancestors_of


def group_by_ancestor(
    paragraph_of: Mapping[int, int], ancestors_of: Mapping[int, tuple[int, ...]]
) -> dict[int, list[int]]:
    """Step 3: the runs under each n-th ancestor; where the list ended early at body, under its last."""
    groups: dict[int, list[int]] = {}
    for run, paragraph in paragraph_of.items():
        groups.setdefault(ancestors_of[paragraph][-1], []).append(run)
    return groups


def select_largest(page_runs: Sequence[Run], groups: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """Step 4: the group whose runs have the most characters; of equal ones the first in the document."""
    largest: Sequence[int] = ()
    most = 0
    for members in groups.values():
        characters = sum(len(page_runs[i].text) for i in members)
        if characters > most:
            largest, most = members, characters
    return tuple(largest)


class _Places:
    """Where elements stand below the fifteen; every element is climbed over once, however deep the page nests."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._known: dict[int, tuple[int, int]] = {}

    def of(self, element: int) -> tuple[int, int]:
        """The nearest of the fifteen at or above `element`, and its child on the way down (itself if there is none).

        Outside all of them (a page of frames) both are the topmost element.
        """
        known, parent, tag = self._known, self._elements.parent, self._elements.tag
        climbed: list[int] = []
        while element not in known:
            if tag[element] in _PARAGRAPH_NUMBERS or parent[element] == NO_PARENT:
                known[element] = (element, element)
                break
            climbed.append(element)
            element = parent[element]
        named, child = known[element]
        for below in reversed(climbed):
            if child == named:
                child = below
            known[below] = (named, child)
        return named, child

    def outer(self, named: int) -> int:
        """The next of the fifteen above one of them, NO_PARENT above the outermost."""
        above = self._elements.parent[named]
        return self.of(above)[0] if above != NO_PARENT else NO_PARENT
