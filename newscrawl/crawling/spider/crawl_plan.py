"""Decides which sources a crawl reads, how urgent a request is, and when the crawl has enough. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.proposals.find_sources import FoundSource, best_sources, common_sources, rank, ranked
from newscrawl.discovery.reading import ChildSitemap
from newscrawl.discovery.sitemaps.child_choice import credible_date
from newscrawl.model import HARMFUL
from newscrawl.storage.records import SourceRow

SOURCE_PRIORITY: Final = 500
"""Sources come first, because they name the new articles."""

FRESHEST: Final = 240
"""Among articles of at most this age in hours, a younger one is requested before an older one."""

SOURCE_RETRY_PRIORITY: Final = FRESHEST - 25
"""A source that failed is repeated after the articles of the last 24 hours that other sources have named: one that does
not answer would delay them by several timeouts."""

MAX_SOURCES: Final = 50
"""Feeds and sitemaps that one crawl of a site reads, however many it declares. Each also has its own budget
(newscrawl.discovery.budget)."""

MAX_LEFT_OUT: Final = 3
"""Announced plain sitemaps that are read if the feeds leave out articles of the front page."""

PLAIN: Final = 3
"""`find_sources.rank` of plain sitemaps."""

MAX_CHILDREN: Final = 2 * MAX_SOURCES
"""Sitemaps of one index that are tried for the places of MAX_SOURCES. Some of them may have been read already."""


@dataclass(slots=True)
class CrawlProgress:
    """The requests of one crawl: no address twice, no more articles than wanted, a limited number of sources.

    Callers add the keys of final addresses to `requested` and `read` as answers arrive, and report the end of each
    source.
    """

    articles_left: float = float("inf")
    sources_left: int = MAX_SOURCES
    requested: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    sources_open: int = 0
    sources_good: int = 0

    def take_article(self, url: str, key: str | None = None) -> bool:
        """Counts the article and returns True if it is to be requested, else returns False. `key` is its URL key, if
        known."""
        key = key or key_of(url)
        if self.articles_left <= 0 or key is None or key in self.requested:
            return False
        self.requested.add(key)
        self.articles_left -= 1
        return True

    def knows_source(self, url: str) -> bool:
        """Returns whether this source was requested, or its address answered a request for another."""
        return key_of(url) in self.read

    def take_source(self, url: str) -> bool:
        """Counts the source and returns True if it is to be requested, else returns False."""
        key = key_of(url)
        if self.sources_left <= 0 or key is None or key in self.read:
            return False
        self.read.add(key)
        self.sources_left -= 1
        self.sources_open += 1
        return True

    def end_source(self, *, good: bool) -> bool:
        """Records that a source was read or failed. Returns whether it was the last one and none could be read."""
        self.sources_open -= 1
        self.sources_good += good
        return not self.sources_open and not self.sources_good


def sources_to_read(site: Site, stored: Sequence[SourceRow]) -> list[Source]:
    """Returns the declared sources; of a site that declares none, those of an earlier crawl, feeds and good ones
    first."""
    if site.sources:
        return list(site.sources)
    useful = [row for row in stored if row.kind in {"feed", "sitemap", "section"} and row.parent is None]
    useful.sort(key=lambda row: (row.kind != "feed", row.failures, -row.new))
    return [Source(row.url, row.kind) for row in useful]


def sources_now(
    to_read: Sequence[Source], stored: Sequence[SourceRow], now: datetime, *, everything: bool
) -> list[Source]:
    """Returns the sources that a crawl of the fleet reads: those never read yet or due; with `everything` also the
    others, unless they asked for a pause."""
    rows = {key_of(row.url): row for row in stored}

    def is_wanted(row: SourceRow | None) -> bool:
        if row is None or row.next_due is None or row.next_due <= now:
            return True
        return everything and row.retired_at is None and (row.not_before is None or row.not_before <= now)

    return [source for source in to_read if is_wanted(rows.get(key_of(source.url)))]


def sources_found(found: Iterable[FoundSource]) -> list[Source]:
    """Returns the sources that a site announces itself."""
    return [Source(source.url, source.kind) for source in best_sources(found)]


def sources_left_out(announced: Iterable[FoundSource], found: Sequence[Source], home: str) -> list[Source]:
    """Returns announced sitemaps that were not read because feeds were announced, too."""
    read = {key_of(source.url) for source in found}
    left = [source for source in ranked(announced, home) if source.kind == "sitemap" and key_of(source.url) not in read]
    return [Source(source.url, "sitemap") for source in left[:MAX_LEFT_OUT]]


def partly_read(sources: Sequence[Source], home: str) -> set[str | None]:
    """Returns the URL keys of plain sitemaps beside feeds, of which the recent entries are wanted, not the archive."""
    plain = {
        key_of(source.url)
        for source in sources
        if source.kind == "sitemap" and rank(FoundSource(source.url, "sitemap"), home) == PLAIN
    }
    return plain if len(plain) < len(sources) else set()


def guessed_sources(url: str) -> list[Source]:
    """Returns the usual addresses of sources, for a site that announces none."""
    return [Source(source.url, source.kind, guessed=True) for source in common_sources(url)]


@dataclass(frozen=True, slots=True)
class Children:
    """The sitemaps of an index to request (`wanted`), how many more there are than a crawl can read (`left_out`), and
    whether others were left out because their back-off is not over (`in_backoff`)."""

    wanted: tuple[Source, ...] = ()
    left_out: int = 0
    in_backoff: bool = False


def children_to_read(
    parent: Source, children: Iterable[tuple[str, ChildSitemap]], rows: Mapping[str | None, SourceRow], now: datetime
) -> Children:
    """Returns the sitemaps of an index that a crawl should read, in the given order, as many as it could read. Sitemaps
    that have not changed since the last time, and those in back-off, are left out."""
    wanted: list[Source] = []
    left_out, in_backoff = 0, False
    for key, child in children:
        row = rows.get(key)
        if row is not None and _is_in_backoff(row, now):
            in_backoff = True
        elif row is not None and _unchanged(child, row, now):
            continue
        elif len(wanted) >= MAX_CHILDREN:
            left_out += 1
        else:
            top = parent.parent or parent.url
            wanted.append(Source(child.url, "sitemap", parent.depth + 1, parent.guessed, top))
    return Children(tuple(wanted), left_out, in_backoff)


def article_priority(published: datetime | None, now: datetime) -> int:
    """Returns a priority that is higher for a younger article, by one for each hour. Undated and future ones are
    last."""
    when = credible_date(published, now)
    if when is None:
        return 0
    return max(0, FRESHEST - max(0, int((now - when).total_seconds() // 3600)))


def _is_in_backoff(row: SourceRow, now: datetime) -> bool:
    """Returns whether reading the source did harm and its back-off is not over."""
    return row.failure_kind in HARMFUL and row.not_before is not None and row.not_before > now


def _unchanged(child: ChildSitemap, row: SourceRow, now: datetime) -> bool:
    changed = credible_date(child.lastmod, now)
    read_at = row.last_fetched if row.last_status in {200, 304} else None
    return changed is not None and read_at is not None and changed < read_at
