"""Notes what a site declares, with each crawl of it. The name of the extension is that in the settings of projects."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from newscrawl.crawling.runtime.site_session import session_of
from newscrawl.crawling.spider.applied_settings import declaration_of
from newscrawl.crawling.spider.news_spider import NewsSpider
from newscrawl.errors import StorageError
from newscrawl.storage.frontier import sites
from newscrawl.storage.frontier.sites import SiteDeclaration
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.storage.store import Store


class RunLog:
    """Scrapy extension that stores the declaration of the site if it has changed."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        log = cls(crawler)
        crawler.signals.connect(log._open, signal=signals.spider_opened)
        return log

    async def _open(self, spider: Spider) -> None:
        session = session_of(self._crawler)
        if session is None or not isinstance(spider, NewsSpider) or spider.name == GENERIC_SITE:
            return
        declared, store = declaration_of(spider, self._crawler.settings), session.services.store
        if await asyncio.to_thread(_is_new, store, declared):
            with suppress(StorageError):  # logged by the writer, and the crawl ends
                await session.committed(store.run(sites.declare, declared, datetime.now(UTC)))


def _is_new(store: Store, declared: SiteDeclaration) -> bool:
    """Returns whether the stored declaration is another one, or cannot be read: the writer tries again. Read without
    the lock of writers, because it seldom is."""
    try:
        with store.reading() as connection:
            known = sites.declaration(connection, declared.site)
    except StorageError:
        return True
    return known is None or known[0] != declared
