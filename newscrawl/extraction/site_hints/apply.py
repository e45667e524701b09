"""Applies a set of hints to a page: which runs it drops and keeps, and what it says of the fields. Pure.

Hints work on whole runs of text. An inline element inside a paragraph, such as a link in a sentence, cannot be dropped
from it. The tree of a page knows what an expression finds there, and the runs inside an element.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from lxml import etree

from newscrawl.extraction.site_hints.cost import MAX_WORK, Shape, work_of
from newscrawl.extraction.site_hints.declared import HintSet, SiteHints
from newscrawl.extraction.site_hints.selectors import Selector, read_selector
from newscrawl.model import HintMatch
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.head import collapse, marked_text
from newscrawl.page.tags import INLINE, TAG_NAMES

TOO_LARGE: Final = "site hints not applied: the page has too many elements"
"""Problem of a page on which the hints might take too long (newscrawl.extraction.site_hints.cost)."""
MAX_MATCHES: Final = 5_000
"""Elements that a hint may match on a page."""
MAX_VALUES: Final = 20
"""Values of a field that are read of a page."""
MAX_VALUE: Final = 4_000
"""Characters of a value that are read."""
LABEL_CHARACTERS: Final = 100
_DATE_ATTRIBUTES: Final = ("datetime", "content")


@dataclass(frozen=True, slots=True)
class PageHints:
    """The effect of a site's hints on one page.

    `dropped` and `kept` are indices of runs; a run is never in both. `title`, `authors` and `published` are texts as
    the page has them. `matches` has every hint of the set with the number of elements that it matched.
    """

    since: datetime | None
    dropped: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None
    matches: tuple[HintMatch, ...] = ()
    problem: str | None = None
    by_run: dict[int, str] = field(default_factory=dict, compare=False)
    """For each dropped or kept run the hint that decided it."""


def hints_of_page(page: Page, hints: SiteHints, fetched_at: datetime) -> PageHints | None:
    """Returns what a site's hints say about a page fetched at this aware time; None if it has none for that time.

    Never raises because of a page: where a hint cannot be evaluated, none is applied and `problem` says why. The work
    is limited (newscrawl.extraction.site_hints.cost).
    """
    chosen = hints.at(fetched_at)
    return _applied(page, chosen) if chosen is not None else None


def label_of(kind: str, written: str) -> str:
    """Returns a hint's name in traces, alarms and reports: `drop div.advert`."""
    return f"{kind} {' '.join(written.split())}"[:LABEL_CHARACTERS]


def _applied(page: Page, hints: HintSet) -> PageHints:
    selectors = [(kind, label_of(kind, written), read_selector(written)) for kind, written in hints.selectors()]
    if page.tree.root is not None:
        shape = Shape(page.tree.root)
        if sum(work_of(selector.xpath, shape) for _, _, selector in selectors) > MAX_WORK:
            return PageHints(hints.since, problem=TOO_LARGE)
    reader = _Reader(page)
    for kind, label, selector in selectors:
        try:
            reader.read(kind, label, selector)
        except (etree.XPathError, _TooManyMatches) as error:
            return PageHints(hints.since, problem=f"site hints not applied: {label}: {error}")
    kept = {run: label for run, label in reader.kept.items() if run not in reader.dropped}
    return PageHints(
        hints.since,
        frozenset(reader.dropped),
        frozenset(kept),
        next(iter(reader.values["title"]), None),
        tuple(dict.fromkeys(reader.values["authors"])),
        next(iter(reader.values["published"]), None),
        tuple(reader.found),
        by_run=reader.dropped | kept,
    )


class _TooManyMatches(Exception):
    """A hint matches more than `MAX_MATCHES` elements."""


class _Reader:
    """Collects what the hints of a page find."""

    def __init__(self, page: Page) -> None:
        self._tree = PageTree(page)
        self.dropped: dict[int, str] = {}
        self.kept: dict[int, str] = {}
        self.values: dict[str, list[str]] = {"title": [], "authors": [], "published": []}
        self.found: list[HintMatch] = []

    def read(self, kind: str, label: str, selector: Selector) -> None:
        """Applies one hint. Raises etree.XPathError."""
        found = self._tree.find(selector)
        if len(found) > MAX_MATCHES:
            raise _TooManyMatches(f"it matches more than {MAX_MATCHES:,} elements")
        number = len(found)
        if kind not in self.values:
            number, inside = self._tree.runs_inside([node for node in found if not isinstance(node, str)])
            runs = self.dropped if kind == "drop" else self.kept
            for run in inside:
                runs.setdefault(run, label)
        elif not self.values[kind]:
            values = (_value(kind, one) for one in found[:MAX_VALUES])
            self.values[kind] = [value for value in values if value]
        self.found.append(HintMatch(label, number))


def _value(kind: str, found: Any) -> str:
    """Returns what a text, or an element of lxml, says of a field; "" for nothing."""
    if isinstance(found, str):
        return collapse(found[:MAX_VALUE])
    if kind == "published":
        for name in _DATE_ATTRIBUTES:
            if stated := collapse(found.get(name, "")[:MAX_VALUE]):
                return stated
    return collapse(found.get("content", "")[:MAX_VALUE]) if found.tag == "meta" else marked_text(found)


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
