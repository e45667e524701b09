"""A page as selectors need it: the tree with the end of each element, its siblings and its text, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.hints import MARKED_CHARACTERS
from newscrawl.page.tags import INLINE, TAG_NAMES

MAX_VISITS: Final = 4_000_000
"""Visits of elements by all selectors of a page: about two seconds. A page of 5,000 elements with 50 hints has a
quarter of it; only pages of many megabytes reach it."""
MAX_INLINE_TEXTS: Final = 400
"""Inline elements of a page whose text is read from the parser's tree, which takes a pass over each of them."""
MAX_VALUE: Final = 4_000
"""Characters of an attribute's value that are compared."""

_INLINE: Final = frozenset(TAG_NAMES.index(name) for name in INLINE)


class TooLargePage(Exception):
    """The selectors visited more than `MAX_VISITS` elements."""


class PageIndex:
    """The elements of one page. `visit` counts the work of all selectors."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.parent: Sequence[int] = page.elements.parent
        self.tag: Sequence[int] = page.elements.tag
        self.size = len(self.parent)
        self._values = page.elements.reader()
        self._visits = 0
        self._columns: dict[str, list[str | None]] = {}
        self._texts: dict[int, str] = {}
        self._inline_texts = 0

    def visit(self, number: int) -> None:
        """Counts visits. Raises TooLargePage for too many."""
        self._visits += number
        if self._visits > MAX_VISITS:
            raise TooLargePage

    @cached_property
    def ends(self) -> list[int]:
        """For each element the first one after it that is not inside it."""
        self.visit(self.size)
        parent = self.parent
        ends = list(range(1, self.size + 1))
        for element in range(self.size - 1, 0, -1):
            above = parent[element]
            if above != NO_PARENT and ends[element] > ends[above]:
                ends[above] = ends[element]
        return ends

    @cached_property
    def roots(self) -> list[int]:
        """Elements without a parent."""
        return [element for element, above in enumerate(self.parent) if above == NO_PARENT]

    def children(self, element: int) -> Iterator[int]:
        """Yields the element's children, those of the document for NO_PARENT."""
        ends = self.ends
        child, end = (0, self.size) if element == NO_PARENT else (element + 1, ends[element])
        while child < end:
            yield child
            child = ends[child]

    def values(self, attribute: str) -> list[str | None]:
        """Returns the value of an attribute of every element, cut to `MAX_VALUE`; None for those without it."""
        known = self._columns.get(attribute)
        if known is None:
            self.visit(self.size)
            read, names = self._values, (attribute,)
            found = [read(element, names) for element in range(self.size)]
            known = [value[0][:MAX_VALUE] if value is not None and value[0] is not None else None for value in found]
            self._columns[attribute] = known
        return known

    def value(self, element: int, attribute: str) -> str | None:
        """Returns the value of an attribute, cut to `MAX_VALUE`; None if the element has none of this name."""
        return self.values(attribute)[element]

    def is_inline(self, element: int) -> bool:
        """Returns whether runs continue over the element's edges."""
        return self.tag[element] in _INLINE

    def text(self, element: int) -> str:
        """Returns the element's text, white space collapsed, cut to `MARKED_CHARACTERS`.

        Blocks have that of their runs. The text of an inline element is read from the parser's tree, for the first
        `MAX_INLINE_TEXTS` elements that are asked for; any other gives "".
        """
        known = self._texts.get(element)
        if known is None:
            known = self._texts[element] = self._read_text(element)
        return known

    def runs_in(self, element: int) -> range:
        """Returns the runs whose nearest block is the element or inside it. They follow each other."""
        first, last = self._spans
        return range(first[element], last[element] + 1)

    def runs_begun_in(self, element: int) -> Iterator[int]:
        """Yields the runs whose text begins inside an inline element. Each may continue after the element's end."""
        end = self.ends[element]
        self.visit(end - element)
        for inner in range(element, end):
            yield from self._by_beginning.get(inner, ())

    @cached_property
    def _by_beginning(self) -> dict[int, list[int]]:
        """The runs by the innermost element around their beginning."""
        found: dict[int, list[int]] = {}
        self.visit(len(self.page.runs))
        for index, run in enumerate(self.page.runs):
            inner = getattr(run.counted_code, "inner", NO_PARENT)
            found.setdefault(inner, []).append(index)
        return found

    def _read_text(self, element: int) -> str:
        if self.is_inline(element):
            self._inline_texts += 1
            self.visit(self.ends[element] - element)
            return self.page.text_of(element) if self._inline_texts <= MAX_INLINE_TEXTS else ""
        parts: list[str] = []
        left = MARKED_CHARACTERS
        for run in self.runs_in(element):
            parts.append(self.page.runs[run].text)
            left -= len(parts[-1]) + 1
            if left <= 0:
                break
        self.visit(len(parts))
        return " ".join(parts)[:MARKED_CHARACTERS]

    @cached_property
    def _spans(self) -> tuple[list[int], list[int]]:
        """The first and the last run of each element; an empty span is (number of runs, -1)."""
        runs, parent = self.page.runs, self.parent
        self.visit(self.size + len(runs))
        first, last = [len(runs)] * self.size, [-1] * self.size
        for index, run in enumerate(runs):
            element = run.element
            if 0 <= element < self.size:
                first[element] = min(first[element], index)
                last[element] = index
        for element in range(self.size - 1, 0, -1):
            above = parent[element]
            if above != NO_PARENT:
                first[above] = min(first[above], first[element])
                last[above] = max(last[above], last[element])
        return first, last
