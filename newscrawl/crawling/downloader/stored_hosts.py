"""Lets a crawl without a site share the hosts of the database with all other crawls."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from scrapy.crawler import Crawler

from newscrawl.config.derived.stores import database_of
from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.host_memory import open_host_memory
from newscrawl.crawling.downloader.middlewares.robots import RobotsMiddleware
from newscrawl.crawling.downloader.robots_store import RobotsStore
from newscrawl.crawling.downloader.throttled_downloader import ThrottledDownloader
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.crawling.runtime.site_lease import DURATION
from newscrawl.errors import ProjectError
from newscrawl.storage import Store
from newscrawl.storage.engine.process_locks import ProcessRegistration

OpenStore = Callable[[], Store]
"""Opens the database. Raises StorageError."""


@asynccontextmanager
async def stored_hosts(crawler: Crawler, open_store: OpenStore) -> AsyncIterator[None]:
    """While it is open, each request of the crawl claims its host in the database as the requests of `newscrawl run`
    do: with PostgreSQL by a grant, with SQLite by a lock. The host's delay, back-off and robots.txt come from there,
    too. The requests are not counted for any site. Raises StorageError, and ProjectError for another downloader."""
    downloader = crawler.engine.downloader if crawler.engine is not None else None
    if not isinstance(downloader, ThrottledDownloader):
        raise ProjectError(f"DOWNLOADER must be {ThrottledDownloader.__module__}.ThrottledDownloader")
    config = config_of(crawler.settings)
    throttle = downloader.throttle
    with open_store() as store:
        writer = HostStateWriter(store.notes)
        living = ProcessRegistration(database_of(config))
        throttle.memory = open_host_memory(
            store,
            writer,
            living,
            throttle.now,
            lease=DURATION.total_seconds(),
            request=crawler.settings.getfloat("DOWNLOAD_TIMEOUT"),
        )
        robots = crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is not None:
            robots.memory = RobotsStore(store)
        downloader.is_storage_away = lambda: store.is_away
        try:
            yield
        finally:
            await writer.close()
            await throttle.memory.close()
            living.close()
