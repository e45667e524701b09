"""Limits the cost of each source in one crawl: a declared feed, sitemap or section with the documents it leads to."""

from __future__ import annotations

from dataclasses import dataclass, field

from newscrawl.crawling.spider.site_declaration import Source
from newscrawl.discovery.budget import Budget, SourceUsage
from newscrawl.discovery.links.resolve import key_of


@dataclass(slots=True)
class _Account:
    """One of the site's own sources and the documents that it names. `open` counts documents that were requested and
    have not ended. `did_harm` means that reading one of them did harm, or that one was left out because reading it had
    done harm."""

    root: Source
    usage: SourceUsage = field(default_factory=SourceUsage)
    open: int = 0
    is_read: bool = False
    did_harm: bool = False
    is_blamed: bool = False


class SourceBudgets:
    """The accounts of one crawl. Each of the site's own sources has one. Documents that an index names, at any depth,
    count on its account."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._accounts: dict[str, _Account] = {}

    def check_request(self, source: Source) -> frozenset[str]:
        """Notes a request for the source. Returns why it must not be made (the limits of its account, or it was already
        requested); empty if it may be."""
        account = self._account(source)
        usage, may = account.usage.with_request(key_of(source.url) or source.url, source.depth, self._budget)
        account.usage = usage
        return frozenset() if may else usage.flags

    def note_request(self, source: Source) -> None:
        """Notes that the source was requested."""
        self._account(source).open += 1

    def note_end(self, source: Source) -> bool:
        """Notes that the source was read or failed. Returns whether it was the last document of its account and the
        whole account was read within the budget."""
        account = self._account(source)
        account.open -= 1
        return account.open <= 0 and account.is_read and not (account.is_blamed or account.did_harm)

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

    def left(self, source: Source) -> Budget:
        """Returns the limits that are left for an answer."""
        return self._account(source).usage.left(self._budget)

    def _account(self, source: Source) -> _Account:
        """Returns the account of the source."""
        named = source.parent or source.url
        root = source if source.parent is None else Source(named, "sitemap")
        return self._accounts.setdefault(named, _Account(root))
