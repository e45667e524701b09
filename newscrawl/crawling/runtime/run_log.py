"""One row in `runs` for every crawl: when it started, when it finished, and its counters."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from newscrawl.crawling.runtime.services import Services
from newscrawl.crawling.spider.applied_settings import declaration_of
from newscrawl.crawling.spider.declared_spider import DeclaredSpider
from newscrawl.errors import StorageError
from newscrawl.storage.duplicates import declared_sites
from newscrawl.storage.frontier import runs, sites
from newscrawl.storage.records import GENERIC_SITE


class RunLog:
    """Scrapy extension that writes the row; a run without an end was killed."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._run_id: int | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        log = cls(crawler)
        crawler.signals.connect(log._open, signal=signals.spider_opened)
        crawler.signals.connect(log._close, signal=signals.spider_closed)
        return log

    async def _open(self, spider: Spider) -> None:
        services = self._crawler.get_extension(Services)
        if services is None:
            return
        try:
            self._run_id = await asyncio.wrap_future(
                services.store.notes.run(runs.start, _site(spider), datetime.now(UTC))
            )
            if isinstance(spider, DeclaredSpider) and spider.name != GENERIC_SITE:
                declared = {spider.name: spider.republishes}
                await asyncio.wrap_future(services.store.run(declared_sites.record, declared))
                noted = declaration_of(spider, self._crawler.settings)
                await asyncio.wrap_future(services.store.run(sites.declare, noted, datetime.now(UTC)))
        except StorageError as error:  # logged by the writer
            services.stop_for_storage(error)

    async def _close(self, spider: Spider) -> None:
        services = self._crawler.get_extension(Services)
        if services is None or self._run_id is None or self._crawler.stats is None:
            return
        counters = {name: n for name, n in self._crawler.stats.get_stats().items() if isinstance(n, int)}
        with suppress(StorageError):  # logged by the writer; this run will count as unfinished
            await asyncio.wrap_future(services.store.notes.run(runs.finish, self._run_id, datetime.now(UTC), counters))


def _site(spider: Spider) -> str:
    return str(getattr(spider, "site", spider.name))
