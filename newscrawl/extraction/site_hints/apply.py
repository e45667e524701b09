"""Applies a set of hints to a page: which runs it drops and keeps, and what it says of the fields. Pure.

Hints work on whole runs of text. An inline element inside a paragraph, such as a link in a sentence, cannot be dropped
from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from lxml import etree

from newscrawl.extraction.site_hints.cost import MAX_WORK, Shape, work_of
from newscrawl.extraction.site_hints.declared import HintSet, SiteHints
from newscrawl.extraction.site_hints.selectors import Selector, read_selector
from newscrawl.extraction.site_hints.tree import PageTree
from newscrawl.model import HintMatch
from newscrawl.page import Page
from newscrawl.page.hints import collapse, marked_text

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
