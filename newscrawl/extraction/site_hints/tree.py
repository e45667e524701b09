"""The tree of a page as hints use it: what an expression finds there, and the runs inside an element."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from newscrawl.extraction.site_hints.selectors import Selector
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import INLINE, TAG_NAMES

MAX_INLINE: Final = 400
"""Inline elements of a page whose text is compared with runs, which takes a pass over each of them."""
_LONG_TEXT: Final = 300
"""Characters of an inline element's text from which only the beginning of its run is compared with it."""

_INLINE: Final = frozenset(TAG_NAMES.index(name) for name in INLINE)


class PageTree:
    """The elements and runs of one page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._inline_texts = 0

    def find(self, selector: Selector) -> list[Any]:
        """Returns elements of lxml and texts, in the order of the document. Raises etree.XPathError."""
        if self._page.tree.root is None:
            return []
        found = selector.find(self._page.tree.root)
        if isinstance(found, str):
            return [found] if found.strip() else []
        return [one for one in found if not isinstance(one, tuple)]  # which a namespace is

    def runs_inside(self, nodes: list[Any]) -> tuple[int, set[int]]:
        """Returns how many of the elements are parts of the page's text, and the runs that are wholly inside one."""
        numbers = [number for number in self._page.tree.numbers(nodes) if number != NO_PARENT]
        runs: set[int] = set()
        after = 0  # the run after those of the last element that is around others
        inline_end = 0  # the element after the last inline one that is around others
        for number in numbers:
            inside = self._runs_in(number)
            if inside.stop > after:
                runs.update(inside)
                after = inside.stop
            if self._page.elements.tag[number] in _INLINE and number >= inline_end:
                runs.update(self._begun_in(number))
                inline_end = self._spans[2][number]
        return len(numbers), runs

    def _runs_in(self, element: int) -> range:
        """Returns the runs whose nearest block is the element or inside it. They follow each other."""
        first, last, _ = self._spans
        return range(first[element], last[element] + 1)

    def _begun_in(self, element: int) -> Iterator[int]:
        """Yields the runs whose text begins inside an inline element and does not continue after its end."""
        self._inline_texts += 1
        if self._inline_texts > MAX_INLINE:
            return
        begun = self._by_beginning
        start, end = (bisect_left(begun, (edge, 0)) for edge in (element, self._spans[2][element]))
        inside = sorted(run for _, run in begun[start:end])
        yield from inside[:-1]  # a run ends where the next one begins
        if inside and self._page.runs[inside[-1]].text[:_LONG_TEXT] in self._page.text_of(element):
            yield inside[-1]

    @cached_property
    def _by_beginning(self) -> list[tuple[int, int]]:
        """The innermost element around the beginning of each run, with the run."""
        runs = enumerate(self._page.runs)
        return sorted((getattr(run.counted_code, "inner", NO_PARENT), index) for index, run in runs)

    @cached_property
    def _spans(self) -> tuple[list[int], list[int], list[int]]:
        """The first and the last run of each element, (number of runs, -1) without any, and the first element after
        it that is not inside it."""
        runs, parent = self._page.runs, self._page.elements.parent
        first, last, ends = [len(runs)] * len(parent), [-1] * len(parent), list(range(1, len(parent) + 1))
        for index, run in enumerate(runs):
            if 0 <= run.element < len(parent):
                first[run.element] = min(first[run.element], index)
                last[run.element] = index
        for element in range(len(parent) - 1, 0, -1):
            if (above := parent[element]) != NO_PARENT:
                first[above] = min(first[above], first[element])
                last[above] = max(last[above], last[element])
                ends[above] = max(ends[above], ends[element])
        return first, last, ends
