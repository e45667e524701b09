"""Pure decisions of a crawl: which sources it reads, how urgent a request is, and when it has had enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from newscrawl.crawling.site import Site, Source
from newscrawl.discovery import ChildSitemap, FoundSource, believed, best_sources, choose_children, common_sources
from newscrawl.discovery.links import key_of, within
from newscrawl.storage.records import SourceRow

SOURCE_PRIORITY: Final = 500
"""Sources first: only they know what is new."""

FRESHEST: Final = 240
"""Hours over which a younger article goes before an older one."""

MAX_SOURCES: Final = 50
"""Feeds and sitemaps read in one crawl of a site, however many it declares; each has a budget of its own besides
(newscrawl.discovery.budget)."""

MAX_CANDIDATES: Final = 5_000
"""Candidates taken of one source in one crawl, the freshest first; a news sitemap may have 1,000 entries."""


@dataclass(slots=True)
class Progress:
    """What one crawl has asked for: no address twice, no more articles than wanted, a bounded number of sources.

    Callers add the keys of final addresses to `asked` and `read` as answers arrive, and tell of each source's end.
    """

    articles_left: float = float("inf")
    sources_left: int = MAX_SOURCES
    asked: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    sources_open: int = 0
    sources_good: int = 0

    def take_article(self, url: str) -> bool:
        """Whether this article is to be asked for, and if so, counts it."""
        key = key_of(url)
        if self.articles_left <= 0 or key is None or key in self.asked:
            return False
        self.asked.add(key)
        self.articles_left -= 1
        return True

    def knows_source(self, url: str) -> bool:
        """Whether this source was asked for, or answered when another was."""
        return key_of(url) in self.read

    def take_source(self, url: str) -> bool:
        """Whether this source is to be asked for, and if so, counts it."""
        key = key_of(url)
        if self.sources_left <= 0 or key is None or key in self.read:
            return False
        self.read.add(key)
        self.sources_left -= 1
        self.sources_open += 1
        return True

    def end_source(self, *, good: bool) -> bool:
        """A source has been read or has failed; whether it was the last one and none could be read."""
        self.sources_open -= 1
        self.sources_good += good
        return not self.sources_open and not self.sources_good


def sources_to_read(site: Site, stored: Sequence[SourceRow]) -> list[Source]:
    """The declared sources or, of a site that declares none, those an earlier crawl found: feeds and fruitful first."""
    if site.sources:
        return list(site.sources)
    useful = [row for row in stored if row.kind in {"feed", "sitemap", "section"} and row.parent is None]
    useful.sort(key=lambda row: (row.kind != "feed", row.failures, -row.new))
    return [Source(row.url, row.kind) for row in useful]


def sources_now(
    to_read: Sequence[Source], stored: Sequence[SourceRow], now: datetime, *, everything: bool
) -> list[Source]:
    """Those of the sources that a round of the fleet reads: never asked yet, or due; with `everything` also the others,
    unless they asked to be left alone."""
    rows = {key_of(row.url): row for row in stored}

    def is_wanted(row: SourceRow | None) -> bool:
        if row is None or row.next_due is None or row.next_due <= now:
            return True
        return everything and row.retired_at is None and (row.not_before is None or row.not_before <= now)

    return [source for source in to_read if is_wanted(rows.get(key_of(source.url)))]


def sources_found(found: Iterable[FoundSource]) -> list[Source]:
    """What a site names of itself, as sources to read."""
    return [Source(source.url, source.kind) for source in best_sources(found)]


def guessed_sources(url: str) -> list[Source]:
    """The usual addresses, of a site that names none."""
    return [Source(source.url, source.kind, guessed=True) for source in common_sources(url)]


def children_to_read(
    site: Site, parent: Source, children: Iterable[ChildSitemap], stored: Sequence[SourceRow], now: datetime
) -> list[Source]:
    """Sitemaps of an index worth a request: of this site, and not known unchanged since the last time."""
    read_at = {key_of(row.url): row.last_fetched for row in stored if row.last_status in {200, 304}}
    domains = site.source_domains(parent)
    return [
        Source(child.url, "sitemap", parent.depth + 1, parent.guessed, parent.parent or parent.url)
        for child in choose_children(children, now)
        if within(child.url, domains) and not _unchanged(child, read_at.get(key_of(child.url)), now)
    ]


def article_priority(published: datetime | None, now: datetime) -> int:
    """Higher for a younger article: one step an hour. Undated ones, and ones from the future, wait at the end."""
    when = believed(published, now)
    if when is None:
        return 0
    return max(0, FRESHEST - max(0, int((now - when).total_seconds() // 3600)))


def _unchanged(child: ChildSitemap, read_at: datetime | None, now: datetime) -> bool:
    changed = believed(child.lastmod, now)
    return changed is not None and read_at is not None and changed < read_at
