"""What each source has cost in one crawl: a declared feed, sitemap or section with all that it leads to."""

from __future__ import annotations

from dataclasses import dataclass, field

from newscrawl.crawling.spider.site_declaration import Source
from newscrawl.discovery import Budget, Spent
from newscrawl.discovery.links.resolve import key_of


@dataclass(slots=True)
class _Account:
    """One of the site's own sources and what it names. `open` counts documents asked for and not ended; `rested`
    says that one of them does harm, or was left out because it did."""

    root: Source
    spent: Spent = field(default_factory=Spent)
    open: int = 0
    is_read: bool = False
    rested: bool = False
    is_blamed: bool = False


class SourceBudgets:
    """One crawl's. What an index names is on its account, however deep; a site's own sources each have one."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._accounts: dict[str, _Account] = {}

    def asks(self, source: Source) -> frozenset[str]:
        """Notes that the source is to be asked for; why it may not be, where its account is empty: nothing then."""
        account = self._account(source)
        spent, may = account.spent.asked(key_of(source.url) or source.url, source.depth, self._budget)
        account.spent = spent
        return frozenset() if may else spent.flags

    def begun(self, source: Source) -> None:
        """The source was asked for."""
        self._account(source).open += 1

    def ended(self, source: Source) -> bool:
        """The source has been read or has failed; whether that was the last document of its account, and all of the
        account was read within the budget."""
        account = self._account(source)
        account.open -= 1
        return account.open <= 0 and account.is_read and not (account.is_blamed or account.rested)

    def answered(self, source: Source, url: str, size: int, entries: int) -> None:
        """After an answer of `size` bytes from `url` that named so many entries."""
        account = self._account(source)
        account.spent = account.spent.answered(key_of(url) or url, size, entries)
        account.is_read = True

    def computed(self, source: Source, seconds: float) -> Source | None:
        """After so many seconds of CPU time; the account's own source when that was more than the account has, once."""
        account = self._account(source)
        account.spent = account.spent.computed(seconds)
        if account.is_blamed or account.spent.seconds < self._budget.seconds:
            return None
        account.is_blamed = True
        return account.root

    def rests(self, source: Source) -> None:
        """The source does harm, or names a document that did and is left out until its back-off is over."""
        self._account(source).rested = True

    def left(self, source: Source) -> Budget:
        """What an answer may still hold."""
        return self._account(source).spent.left(self._budget)

    def _account(self, source: Source) -> _Account:
        """The account that pays for the source."""
        named = source.parent or source.url
        root = source if source.parent is None else Source(named, "sitemap")
        return self._accounts.setdefault(named, _Account(root))
