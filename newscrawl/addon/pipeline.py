"""The one item pipeline of the add-on: archive, extraction, fingerprint, database."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any, Final, Self

from scrapy.crawler import Crawler

from newscrawl.addon.pages import page_of
from newscrawl.crawling.pipelines.archive import ArchivePipeline
from newscrawl.crawling.pipelines.extract import ExtractPipeline
from newscrawl.crawling.pipelines.fingerprint import FingerprintPipeline
from newscrawl.crawling.pipelines.store import StorePipeline
from newscrawl.crawling.spider.responses import UNCHANGED
from newscrawl.identity.urls import with_ascii_host
from newscrawl.model import RawPage

logger = logging.getLogger(__name__)

NO_PAGE: Final = "addon/no_page"
"""Counts items without `url` and `body`; the project's own items may be such."""
NOT_STORABLE: Final = "addon/not_storable"
"""Counts pages that cannot be stored: their address is not of the web, their status is an error's, their body is of
another type."""


class StorePages:
    """Stores each page and returns the item unchanged, so that later pipelines of the project get the project's own
    items."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._archive = ArchivePipeline.from_crawler(crawler)
        self._extract = ExtractPipeline.from_crawler(crawler)
        self._fingerprint = FingerprintPipeline()
        self._store = StorePipeline.from_crawler(crawler)
        self._reported: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds the pipeline as Scrapy does."""
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        """Waits until the page is stored. Raises DropItem if the database refuses it."""
        page = self._page(item)
        if page is not None:
            archived = await self._archive.process_item(page)
            extracted = await self._extract.process_item(archived)
            await self._store.process_item(self._fingerprint.process_item(extracted))
        return item

    def close_spider(self) -> None:
        """Ends the wait for the archive's disk."""
        self._archive.close_spider()

    def _page(self, item: Any) -> RawPage | None:
        spider = self._crawler.spider
        try:
            page = page_of(item, spider.name if spider else "", datetime.now(UTC))
            if page is None:
                self._count(NO_PAGE, "no page is stored of items without url and body: yield the response, or add both")
                return None
            with_ascii_host(page.url)
        except (TypeError, ValueError) as error:
            self._count(NOT_STORABLE, f"a page is not stored: {error}")
            return None
        if page.status not in {200, UNCHANGED}:
            self._count(NOT_STORABLE, f"a page is not stored: the server answered {page.status} for {page.url}")
            return None
        return page

    def _count(self, name: str, message: str) -> None:
        self._crawler.stats.inc_value(name)
        if name not in self._reported:
            self._reported.add(name)
            logger.warning("%s (counted as %s; logged once)", message, name)
