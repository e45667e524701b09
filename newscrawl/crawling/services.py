"""What a crawl shares: the store with its one writer thread, and the extraction workers."""

from __future__ import annotations

import os
from typing import Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from newscrawl.article import ArticleOptions
from newscrawl.crawling.downloader import PoliteDownloader
from newscrawl.crawling.host_memory import StoredHosts
from newscrawl.crawling.pool import ExtractionPool
from newscrawl.errors import ConfigurationError
from newscrawl.extraction import Limits
from newscrawl.scheduling.revisit import next_due
from newscrawl.storage import Reader, Store, open_reader, open_store


class Services:
    """Scrapy extension that opens store and workers for a crawl and closes them after its last item.

    Others reach it with `crawler.get_extension(Services)`.
    """

    def __init__(self, store: Store, pool: ExtractionPool, crawler: Crawler) -> None:
        self.store = store
        self.pool = pool
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pool = pool_of(crawler.settings)  # no process of it runs before the first page
        services = cls(store_of(crawler.settings), pool, crawler)
        crawler.signals.connect(services._remember_hosts, signal=signals.engine_started)
        crawler.signals.connect(services._flush, signal=signals.spider_idle)
        crawler.signals.connect(services._flush, signal=signals.spider_closed)
        crawler.signals.connect(services._close, signal=signals.engine_stopped)
        return services

    def _remember_hosts(self) -> None:
        downloader = self._crawler.engine.downloader if self._crawler.engine else None
        if isinstance(downloader, PoliteDownloader):
            downloader.turnstiles.memory = StoredHosts(self.store)

    def _flush(self, spider: Spider) -> None:
        # Nothing more will fill the batch: its items wait for their commit before the spider can close.
        self.store.flush()

    def _close(self) -> None:
        self.pool.close()
        self.store.close()


def store_of(settings: BaseSettings, *, upgrade: bool = False) -> Store:
    """The store that the settings name. Raises StorageError or ConfigurationError."""
    for name in ("NEWSCRAWL_BATCH_SIZE", "NEWSCRAWL_BATCH_SECONDS"):
        if settings.getfloat(name) <= 0:
            raise ConfigurationError(name, f"{settings[name]} is too small: give a number above 0")
    return open_store(
        database_of(settings),
        upgrade=upgrade,
        batch_size=settings.getint("NEWSCRAWL_BATCH_SIZE"),
        max_wait=settings.getfloat("NEWSCRAWL_BATCH_SECONDS"),
        next_due=next_due,
    )


def reader_of(settings: BaseSettings) -> Reader:
    """The database that the settings name, to look at only. Entering raises StorageError or SchemaError."""
    return open_reader(database_of(settings))


def database_of(settings: BaseSettings) -> str:
    """The database's URL. Raises ConfigurationError."""
    return _text(settings, "NEWSCRAWL_DATABASE_URL")


def options_of(settings: BaseSettings) -> ArticleOptions:
    """How the settings want pages extracted. Raises UnknownChainError or ConfigurationError."""
    limits = Limits(settings.getint("NEWSCRAWL_MIN_WORDS"), settings.getint("NEWSCRAWL_MIN_CHARACTERS"))
    chains = settings.getdict("NEWSCRAWL_CHAINS")
    options = ArticleOptions(_text(settings, "NEWSCRAWL_CHAIN"), chains, limits)
    options.resolve()
    return options


def pool_of(settings: BaseSettings) -> ExtractionPool:
    """Worker processes as the settings want them: by default one fewer than the cores, at least one."""
    workers = settings.getint("NEWSCRAWL_EXTRACT_WORKERS") or max(1, (os.cpu_count() or 1) - 1)
    return ExtractionPool(
        options_of(settings),
        workers=workers,
        timeout=settings.getfloat("NEWSCRAWL_EXTRACT_TIMEOUT"),
        memory_mb=settings.getint("NEWSCRAWL_EXTRACT_MEMORY_MB"),
    )


def _text(settings: BaseSettings, name: str) -> str:
    value = settings.get(name)
    if not isinstance(value, str) or not value:
        raise ConfigurationError(name, f"{value!r} is no name or address")
    return value
