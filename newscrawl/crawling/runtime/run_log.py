"""One row in `runs` for every crawl: when it started, when it finished, and its counters. A crawl with a lease begins
with its row, and one of a fleet ends with it (newscrawl.storage.frontier.crawls); other rows are stored here."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from newscrawl.crawling.downloader.scrapy_internals import counters
from newscrawl.crawling.runtime.crawl_context import context_of
from newscrawl.crawling.runtime.services import Services
from newscrawl.crawling.spider.applied_settings import declaration_of
from newscrawl.crawling.spider.declared_spider import DeclaredSpider
from newscrawl.errors import StorageError
from newscrawl.storage.frontier import crawls, sites
from newscrawl.storage.frontier.sites import SiteDeclaration
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.storage.store import Store


class RunLog:
    """Scrapy extension that sees to the row, and notes what the site declares; a run without an end was killed."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._run: int | None = None

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
            if services.begun is not None:
                self._run = services.begun.run
            else:  # a spider without a lease
                adding = services.store.notes.run(crawls.add_run, _site(spider), datetime.now(UTC))
                self._run = await asyncio.wrap_future(adding)
            if isinstance(spider, DeclaredSpider) and spider.name != GENERIC_SITE:
                declared = declaration_of(spider, self._crawler.settings)
                if await asyncio.to_thread(_is_new, services.store, declared):
                    await asyncio.wrap_future(services.store.run(sites.declare, declared, datetime.now(UTC)))
        except StorageError as error:  # logged by the writer
            services.stop_for_storage(error)

    async def _close(self, spider: Spider) -> None:
        services = self._crawler.get_extension(Services)
        if services is None or self._run is None or context_of(self._crawler) is not None:
            return
        with suppress(StorageError):  # logged by the writer; this crawl will count as unfinished
            noted = dict(counters(self._crawler))
            await asyncio.wrap_future(services.store.notes.run(crawls.finish_run, self._run, datetime.now(UTC), noted))


def _is_new(store: Store, declared: SiteDeclaration) -> bool:
    """Returns whether the stored declaration is another one, or cannot be read: the writer tries again. Read without
    the lock of writers, because it seldom is."""
    try:
        with store.reading() as connection:
            known = sites.declaration(connection, declared.site)
    except StorageError:
        return True
    return known is None or known[0] != declared


def _site(spider: Spider) -> str:
    return str(getattr(spider, "site", spider.name))
