"""Applies a set of hints to a page: which runs it drops and keeps, and what it says of the fields. Pure.

Hints work on whole runs of text. An inline element inside a paragraph, such as a link in a sentence, cannot be dropped
from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from newscrawl.model import HintMatch
from newscrawl.page import Page
from newscrawl.site_hints.declared import HintSet, SiteHints
from newscrawl.site_hints.expressions import Path
from newscrawl.site_hints.matching import matches
from newscrawl.site_hints.page_index import PageIndex, TooLargePage
from newscrawl.site_hints.selectors import head_key, read_selector

TOO_LARGE: Final = "site hints not applied: the page has too many elements"
"""Problem of a page on which the selectors would take too long."""
MAX_VALUES: Final = 20
"""Values of a field that are read of a page."""
LABEL_CHARACTERS: Final = 100
_LONG_TEXT: Final = 300
"""Characters of an inline element's text from which only the beginning of its run is compared with it."""
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

    Never raises because of a page. The time is linear in the page's size and in the number of hints, and limited.
    """
    chosen = hints.at(fetched_at)
    return _applied(page, chosen) if chosen is not None else None


def label_of(kind: str, written: str) -> str:
    """Returns a hint's name in traces, alarms and reports: `drop div.advert`."""
    return f"{kind} {' '.join(written.split())}"[:LABEL_CHARACTERS]


def _applied(page: Page, hints: HintSet) -> PageHints:
    reader = _Reader(page)
    try:
        for kind, written in hints.selectors():
            reader.read(kind, written)
    except TooLargePage:
        return PageHints(hints.since, problem=TOO_LARGE)
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


class _Reader:
    """Collects what the hints of a page find."""

    def __init__(self, page: Page) -> None:
        self._index = PageIndex(page)
        self.dropped: dict[int, str] = {}
        self.kept: dict[int, str] = {}
        self.values: dict[str, list[str]] = {"title": [], "authors": [], "published": []}
        self.found: list[HintMatch] = []

    def read(self, kind: str, written: str) -> None:
        """Applies one hint."""
        number, label = 0, label_of(kind, written)
        values: list[str] = []
        for path in read_selector(written).paths:
            key = head_key(path)
            if key is not None:
                stated = self._of_head(key)
                number += len(stated)
                values += stated
                continue
            elements = matches(self._index, path)
            number += len(elements)
            if kind in self.values:
                values += self._values(kind, path, elements)
            else:
                runs = self.dropped if kind == "drop" else self.kept
                for element in elements:
                    for run in self._runs(element):
                        runs.setdefault(run, label)
        if kind in self.values and not self.values[kind]:
            self.values[kind] = values[:MAX_VALUES]
        self.found.append(HintMatch(label, number))

    def _of_head(self, key: str) -> list[str]:
        head = self._index.page.head
        return [head.title] if key == "title" and head.title else head.all(key)

    def _values(self, kind: str, path: Path, elements: list[int]) -> list[str]:
        texts = [self._value(kind, path.attribute, element) for element in elements[:MAX_VALUES]]
        return [text.strip() for text in texts if text and text.strip()]

    def _value(self, kind: str, attribute: str | None, element: int) -> str | None:
        if attribute is not None:
            return self._index.value(element, attribute)
        if kind == "published":
            for name in _DATE_ATTRIBUTES:
                if stated := self._index.value(element, name):
                    return stated
        return self._index.text(element)

    def _runs(self, element: int) -> Iterator[int]:
        """Yields the runs that are wholly inside the element."""
        index = self._index
        inside = index.runs_in(element)
        index.visit(len(inside))
        yield from inside
        if index.is_inline(element):
            text = index.text(element)
            for run in index.runs_begun_in(element):
                if run not in inside and index.page.runs[run].text[:_LONG_TEXT] in text:
                    yield run
