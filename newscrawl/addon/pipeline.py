"""The one item pipeline of the add-on: archive, extraction, fingerprint, database."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, Self

from scrapy.crawler import Crawler

from newscrawl.addon.pages import page_of
from newscrawl.crawling.downloader.middlewares.robots import UNREACHABLE
from newscrawl.crawling.pipelines.archive import ArchivePipeline
from newscrawl.crawling.pipelines.extract import ExtractPipeline
from newscrawl.crawling.pipelines.fingerprint import FingerprintPipeline
from newscrawl.crawling.pipelines.store import StorePipeline
from newscrawl.crawling.spider.responses import UNCHANGED
from newscrawl.identity.urls import with_ascii_host
from newscrawl.model import RawPage
from newscrawl.wording import counted

logger = logging.getLogger(__name__)

NO_PAGE: Final = "addon/no_page"
"""Counts items without `url` and `body`; the project's own items may be such."""
NOT_STORABLE: Final = "addon/not_storable"
"""Counts pages that cannot be stored: their address is not of the web, their status is an error's, their body is of
another type."""
LOGGED: Final = 10
"""Different reasons that are logged; later ones are only counted."""


def unreachable_line(counters: Mapping[str, Any]) -> str | None:
    """Returns a line about the requests that were refused because a robots.txt could not be read; None if there are
    none, or a page was yielded."""
    refused = counters.get(UNREACHABLE, 0)
    if not refused or counters.get("item_scraped_count"):
        return None
    return (
        f"no page was stored: {counted(refused, 'request was', 'requests were')} not sent, because robots.txt could "
        f"not be read ({UNREACHABLE}; `newscrawl why URL --database URL` shows the reason)"
    )


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
        """Warns if robots.txt could not be read and no page came."""
        stats = self._crawler.stats
        warning = unreachable_line(stats.get_stats()) if stats else None
        if warning is not None:
            logger.warning("%s", warning)

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
        if message not in self._reported and len(self._reported) < LOGGED:
            self._reported.add(message)
            logger.warning("%s (counted as %s; logged once)", message, name)
