"""The tree filter: keeps the group of an extractor's paragraphs that is connected in the tree and has the most text.

Viveros-Jiménez et al., "Improving the Boilerpipe Algorithm for Boilerplate Removal in News Articles Using HTML Tree
Structure", Computación y Sistemas 22(2), 2018, section 4. The paper's four steps are the four calls of `tree_filter`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from newscrawl.compiled import KERNELS, OutsideError, choose
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.tags import TAG_NAMES

PARAGRAPH_TAGS: Final = tuple("div table ul ol p section article h1 h2 h3 h4 h5 h6 header body".split())
"""The fifteen tag names of the paper's first step."""

DEFAULT_DEPTH: Final = 2
"""Grandparents, the best of the five depths in the paper's table 2."""
MAX_DEPTH: Final = 5
"""The furthest ancestor in the paper."""

_PARAGRAPH_NUMBERS: Final = frozenset(TAG_NAMES.index(name) for name in PARAGRAPH_TAGS)
_BODY: Final = TAG_NAMES.index("body")


def tree_filter(page: Page, runs: Sequence[int], depth: int = DEFAULT_DEPTH) -> tuple[int, ...]:
    """Returns those of the selected `runs` (indices in `page.runs`, document order) whose group has the most text.

    `depth` is the n of the n-th ancestor that makes a group: 1 is the paragraph's parent, 2 its grandparent.
    Raises ValueError for a depth outside 1 to 5. Time is linear in the number of runs and elements.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"tree filter depth {depth}: must be 1 to {MAX_DEPTH}")
    paragraph_of = identify_paragraphs(page.elements, page.runs, runs)
    ancestors_of = list_ancestors(page.elements, paragraph_of.values(), depth)
    groups = group_by_ancestor(paragraph_of, ancestors_of)
    return select_largest(page.runs, groups)


def identify_paragraphs(elements: Elements, page_runs: Sequence[TextRun], selected: Iterable[int]) -> dict[int, int]:
    """Step 1: returns the paragraph (an element) of every selected run.

    It is the nearest of the run's element and its ancestors with one of the fifteen tags. "A paragraph should not
    contain other paragraphs": if it also contains another of the fifteen with text, its child on the way down to the
    run takes its place (a blockquote, main, figure ...); for text directly inside it the element itself is kept.
    """
    try:
        return paragraphs(elements, page_runs, selected, _PARAGRAPH_NUMBERS)
    except OutsideError:
        return _paragraphs(elements, page_runs, selected, _PARAGRAPH_NUMBERS)


def _paragraphs(
    elements: Elements, page_runs: Sequence[TextRun], selected: Iterable[int], numbers: frozenset[int]
) -> dict[int, int]:
    named, child = _places(elements, [run.element for run in page_runs], numbers)
    parent = elements.parent
    above: set[int] = {NO_PARENT}
    for element in set(named.values()):
        element = parent[element]
        while element not in above:
            above.add(element)
            element = parent[element]
    paragraph_of: dict[int, int] = {}
    for index in selected:
        element = page_runs[index].element
        holds_others = named[element] in above
        paragraph_of[index] = child[element] if holds_others else named[element]
    return paragraph_of


def list_ancestors(elements: Elements, paragraphs: Iterable[int], depth: int) -> dict[int, tuple[int, ...]]:
    """Step 2: returns every paragraph with its ancestors, nearest first, at most `depth` and none beyond body."""
    parent, tag = elements.parent, elements.tag
    ancestors_of: dict[int, tuple[int, ...]] = {}
    above: dict[int, tuple[int, ...]] = {NO_PARENT: ()}
    for paragraph in paragraphs:
        if paragraph in ancestors_of:
            continue
        if tag[paragraph] == _BODY:
            ancestors_of[paragraph] = (paragraph,)
            continue
        holder = parent[paragraph]
        if holder not in above:  # most paragraphs have a common one
            above[holder] = _upwards(elements, holder, depth)
        ancestors_of[paragraph] = (paragraph, *above[holder])
    return ancestors_of


def _upwards(elements: Elements, element: int, length: int) -> tuple[int, ...]:
    """Returns the element and its ancestors, nearest first, at most `length` and none beyond body."""
    parent, tag = elements.parent, elements.tag
    path = [element]
    for _ in range(length - 1):
        if tag[element] == _BODY or parent[element] == NO_PARENT:
            break
        element = parent[element]
        path.append(element)
    return tuple(path)


def group_by_ancestor(
    paragraph_of: Mapping[int, int], ancestors_of: Mapping[int, tuple[int, ...]]
) -> dict[int, list[int]]:
    """Step 3: returns the runs under each n-th ancestor, or under the last ancestor if the list ended at body."""
    groups: dict[int, list[int]] = {}
    for run, paragraph in paragraph_of.items():
        groups.setdefault(ancestors_of[paragraph][-1], []).append(run)
    return groups


def select_largest(page_runs: Sequence[TextRun], groups: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """Step 4: returns the group whose runs have the most characters; of equal ones the first in the document."""
    largest: Sequence[int] = ()
    most = 0
    for members in groups.values():
        characters = sum([len(page_runs[i].text) for i in members])
        if characters > most:
            largest, most = members, characters
    return tuple(largest)


def _places(
    elements: Elements, wanted: Iterable[int], numbers: frozenset[int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Returns, for the wanted elements, the nearest of the fifteen at or above each, and its child on the way down.

    The child is the element itself if there is none. Outside all fifteen (a page of frames) both are the topmost
    element. Every element is visited once, however deep the page is nested.
    """
    parent, tag = elements.parent, elements.tag
    named: dict[int, int] = {}
    child: dict[int, int] = {}
    for element in wanted:
        climbed: list[int] = []
        while element not in named:
            if tag[element] in numbers or parent[element] == NO_PARENT:
                named[element] = child[element] = element
                break
            climbed.append(element)
            element = parent[element]
        nearest, below = named[element], child[element]
        for passed in reversed(climbed):
            if below == nearest:
                below = passed
            named[passed], child[passed] = nearest, below
    return named, child


paragraphs: Final = choose(KERNELS, "paragraphs", _paragraphs)
