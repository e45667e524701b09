"""Decides which sources a crawl reads and what they may cost, how urgent a request is, and when the crawl has enough.
Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.proposals.find_sources import FoundSource, best_sources, common_sources, rank, ranked
from newscrawl.discovery.reading import Budget, ChildSitemap, SourceUsage
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
(newscrawl.discovery.reading)."""

MAX_LEFT_OUT: Final = 3
"""Announced plain sitemaps that are read if the feeds leave out articles of the front page."""

PLAIN: Final = 3
"""`find_sources.rank` of plain sitemaps."""

MAX_CHILDREN: Final = 2 * MAX_SOURCES
"""Sitemaps of one index that are tried for the places of MAX_SOURCES. Some of them may have been read already."""


@dataclass(slots=True)
class ArticlesTaken:
    """The articles that one crawl requests: none twice, and no more than wanted.

    Callers add the keys of the addresses that answered to `keys`.
    """

    left: float = float("inf")
    keys: set[str] = field(default_factory=set)

    def take(self, url: str, key: str | None = None) -> bool:
        """Counts the article and returns True if it is to be requested, else returns False. `key` is its URL key, if
        known."""
        key = key or key_of(url)
        if self.left <= 0 or key is None or key in self.keys:
            return False
        self.keys.add(key)
        self.left -= 1
        return True


@dataclass(slots=True)
class Account:
    """The account of one of the site's own sources and of the documents that it names. `open` counts documents that
    were requested and have not ended. `did_harm` means that reading one of them did harm, or that one was left out
    because reading it had done harm."""

    root: Source
    usage: SourceUsage = field(default_factory=SourceUsage)
    open: int = 0
    is_read: bool = False
    did_harm: bool = False
    is_blamed: bool = False


class Accounts:
    """The sources that one crawl requests: none twice, a limited number, and what reading them costs.

    Each of the site's own sources has an account. Documents that an index names, at any depth, are on its account.
    """

    def __init__(self, budget: Budget | None = None, most: int = MAX_SOURCES) -> None:
        self.open = 0
        """Sources that were requested and have not ended."""
        self._budget = budget or Budget()
        self._left = most
        self._good = 0
        self._keys: set[str] = set()
        self._accounts: dict[str, Account] = {}

    @property
    def all_failed(self) -> bool:
        """Whether all sources have ended and none could be read."""
        return not self.open and not self._good

    def take(self, source: Source) -> tuple[bool, frozenset[str]]:
        """Returns whether the source is to be requested now, and the limits of its account that it would exceed. A
        source that was requested before, or whose address answered a request for another, is not."""
        key = key_of(source.url)
        if key in self._keys:
            return False, frozenset()
        account = self._account(source)
        account.usage, may = account.usage.with_request(key or source.url, source.depth, self._budget)
        if not may:
            return False, account.usage.flags
        if self._left <= 0 or key is None:
            return False, frozenset()
        self._keys.add(key)
        self._left -= 1
        self.open += 1
        account.open += 1
        return True, frozenset()

    def note_address(self, source: Source, url: str) -> None:
        """Notes the address that answered."""
        self._keys.add(key_of(url) or source.url)

    def note_answer(self, source: Source, url: str, size: int, entries: int) -> None:
        """Notes an answer of `size` bytes from `url` that named `entries` entries."""
        account = self._account(source)
        account.usage = account.usage.with_answer(key_of(url) or url, size, entries)
        account.is_read = True

    def note_cpu_time(self, source: Source, seconds: float) -> Source | None:
        """Notes CPU time in seconds. Returns the account's own source when its time is first used up, else None."""
        account = self._account(source)
        account.usage = account.usage.with_cpu_time(seconds)
        if account.is_blamed or account.usage.seconds < self._budget.seconds:
            return None
        account.is_blamed = True
        return account.root

    def note_harm(self, source: Source) -> None:
        """Notes that reading the source did harm, or that it names a document that did harm and is left out until its
        back-off is over."""
        self._account(source).did_harm = True

    def end(self, source: Source, *, good: bool) -> bool:
        """Notes that the source was read or failed. Returns whether it was the last document of its account and the
        whole account was read within the budget."""
        account = self._account(source)
        account.open -= 1
        self.open -= 1
        self._good += good
        return account.open <= 0 and account.is_read and not (account.is_blamed or account.did_harm)

    def left(self, source: Source) -> Budget:
        """Returns the limits that are left for an answer."""
        return self._account(source).usage.left(self._budget)

    def _account(self, source: Source) -> Account:
        named = source.parent or source.url
        root = source if source.parent is None else Source(named, "sitemap")
        return self._accounts.setdefault(named, Account(root))


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


def children_to_read(
    parent: Source, children: Iterable[tuple[str, ChildSitemap]], rows: Mapping[str | None, SourceRow], now: datetime
) -> tuple[list[Source], int, bool]:
    """Returns the sitemaps of an index that a crawl should read, in the given order, as many as it could read, how many
    more there are, and whether some are left out because their back-off is not over. Those that have not changed since
    the last time are left out as well."""
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
    return wanted, left_out, in_backoff


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
