"""ProcessedPage -> SQL. An item is done when the transaction that holds it is committed."""

from __future__ import annotations

import asyncio
from typing import Self

from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from newscrawl.crawling.services import Services
from newscrawl.crawling.summary import STORAGE_FAILED
from newscrawl.errors import StorageError
from newscrawl.model import ProcessedPage
from newscrawl.storage import Store


class StorePipeline:
    """Hands pages to the writer thread and counts their outcomes; waiting for the commit is the back-pressure."""

    def __init__(self, store: Store, crawler: Crawler) -> None:
        self._store = store
        self._crawler = crawler
        self._stats = crawler.stats
        self._stopping: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        services = crawler.get_extension(Services)
        if services is None:
            raise RuntimeError("the extension newscrawl.crawling.services.Services is off: add it to EXTENSIONS")
        return cls(services.store, crawler)

    async def process_item(self, item: ProcessedPage) -> ProcessedPage:
        try:
            outcome = await asyncio.wrap_future(self._store.save(item))
        except StorageError as error:
            self._stop()
            raise DropItem(f"not stored, the next crawl asks for it again: {error}", log_level="ERROR") from error
        self._count(f"outcome/{outcome.kind}")
        if item.failure is not None:
            self._count(item.failure.kind)
        if item.article is not None:
            self._count(f"extractor/{item.article.extractor}")
            self._count(f"verdict/{item.article.verdict}")
            if len(item.article.trace) > 1:
                self._count("extraction/fallback")
        return item

    def _stop(self) -> None:
        """End the crawl: what is fetched while the database refuses is fetched for nothing. The pages stay `found`."""
        engine = self._crawler.engine
        if self._stopping is None and engine is not None:
            self._stopping = asyncio.get_running_loop().create_task(engine.close_spider_async(reason=STORAGE_FAILED))

    def _count(self, name: str) -> None:
        if self._stats is not None:
            self._stats.inc_value(name)
