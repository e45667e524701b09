"""Stores each ProcessedPage in the database. An item is done when its transaction is committed."""

from __future__ import annotations

from typing import Self

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from newscrawl.crawling.runtime.site_session import SiteSession
from newscrawl.errors import LeaseLost, StorageError
from newscrawl.model import ProcessedPage
from newscrawl.storage.records import NOT_OWNER, counters_of


class StorePipeline:
    """Passes pages to the writer thread and counts their outcomes. It waits for the commit, so a slow database slows
    the crawl down."""

    def __init__(self, session: SiteSession, crawler: Crawler) -> None:
        self._session = session
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(SiteSession.of(crawler), crawler)

    async def process_item(self, item: ProcessedPage) -> ProcessedPage:
        try:
            outcome = await self._session.written(self._session.save(item))
        except LeaseLost as error:
            if self._stats is not None:
                self._stats.inc_value(NOT_OWNER)
            raise DropItem(f"not stored: {error}", log_level="INFO") from error
        except StorageError as error:
            raise DropItem(f"not stored, the next crawl requests it again: {error}", log_level="INFO") from error
        if self._stats is not None:
            for name in counters_of(item, outcome):
                self._stats.inc_value(name)
        return item
