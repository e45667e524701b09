"""Lets the requests of a command, such as `newscrawl add-site`, share the hosts of the database with all crawls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from scrapy.crawler import Crawler

from newscrawl.config.derived.stores import database_of, store_of
from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.hosts.claims import HostClaims
from newscrawl.crawling.downloader.middlewares.robots import RobotsMiddleware
from newscrawl.crawling.downloader.robots_store import RobotsStore
from newscrawl.crawling.downloader.throttled_downloader import ThrottledDownloader
from newscrawl.crawling.runtime.site_lease import DURATION
from newscrawl.errors import ProjectError
from newscrawl.storage import migrations


@asynccontextmanager
async def shared_hosts(crawler: Crawler, *, with_robots: bool = True) -> AsyncIterator[None]:
    """While it is open, each request of the crawl claims its host in the database of the settings, as the requests of
    `newscrawl run` do. The host's delay and back-off come from there, and so does robots.txt, unless `with_robots` is
    false. The requests are not counted for any site.

    A database that does not exist yet, or has no schema, is not made: nobody crawls with it. Raises StorageError if
    the database cannot be used, ConfigurationError if the settings name none, and ProjectError for another downloader.
    """
    downloader = crawler.engine.downloader if crawler.engine is not None else None
    if not isinstance(downloader, ThrottledDownloader):
        raise ProjectError(f"DOWNLOADER must be {ThrottledDownloader.__module__}.ThrottledDownloader")
    config = config_of(crawler.settings)
    if migrations.current_revision(database_of(config)) is None:
        yield
        return
    with store_of(config) as store:
        seconds = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        claims = downloader.throttle.claims = HostClaims(store, lease=DURATION.total_seconds(), request=seconds)
        robots = crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is not None and with_robots:
            robots.memory = RobotsStore(store)
        try:
            yield
        finally:
            await claims.close()
