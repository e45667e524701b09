"""What each source has cost in one crawl: a declared feed, sitemap or section with all that it leads to."""

from __future__ import annotations

from newscrawl.crawling.site import Source
from newscrawl.discovery import Budget, Spent
from newscrawl.discovery.links import key_of


class Spending:
    """One crawl's. What an index names is on its account, however deep; a site's own sources each have one."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._spent: dict[str, Spent] = {}

    def asks(self, source: Source) -> frozenset[str]:
        """Notes that the source is to be asked for; why it may not be, where its account is empty: nothing then."""
        account = source.parent or source.url
        before = self._spent.get(account, Spent())
        spent, may = before.asked(key_of(source.url) or source.url, source.depth, self._budget)
        self._spent[account] = spent
        return frozenset() if may else spent.flags

    def answered(self, source: Source, url: str, size: int, entries: int) -> None:
        """After an answer of `size` bytes from `url` that named so many entries."""
        account = source.parent or source.url
        self._spent[account] = self._spent.get(account, Spent()).answered(key_of(url) or url, size, entries)

    def left(self, source: Source) -> Budget:
        """What an answer may still hold."""
        return self._spent.get(source.parent or source.url, Spent()).left(self._budget)
