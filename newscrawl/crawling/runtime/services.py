"""The services of a crawl: the store with its one writer thread, and the extraction workers."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
import tempfile
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self, TypeVar

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from newscrawl.archive.archive_thread import ArchiveWriter
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.derived.stores import database_of, reader_of, store_of
from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.hosts.claims import HostClaims
from newscrawl.crawling.downloader.middlewares.robots import RobotsMiddleware
from newscrawl.crawling.downloader.robots_store import RobotsStore
from newscrawl.crawling.downloader.throttled_downloader import ThrottledDownloader
from newscrawl.crawling.monitoring.control_watch import PAUSED, ControlWatch, Decided, check_allowed
from newscrawl.crawling.monitoring.registration import Registration, process_of
from newscrawl.crawling.monitoring.removal_watch import RemovalWatch, remove_before_crawling
from newscrawl.crawling.runtime.archive import archive_writer_of, folder_of
from newscrawl.crawling.runtime.crawl_context import context_of
from newscrawl.crawling.runtime.log_setup import set_up_log
from newscrawl.crawling.runtime.request_counts import RequestCounts
from newscrawl.crawling.runtime.site_lease import DURATION, KeptLease, steady_seconds
from newscrawl.crawling.runtime.summary import ARCHIVE_REFUSED, STORAGE_FAILED, STORAGE_REFUSED
from newscrawl.errors import ArchiveError, DatabaseUpgraded, NewscrawlError, ProjectError, StorageError
from newscrawl.processes.process_names import is_dead, this_process
from newscrawl.storage.frontier import crawls
from newscrawl.storage.frontier.crawls import Beginning, Begun
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.machines import registered
from newscrawl.storage.machines.file_locks import CopyLock
from newscrawl.storage.reader import Database
from newscrawl.storage.store import FencedStore, Store
from newscrawl.workers.extraction_pool import ExtractionPool

logger = logging.getLogger(__name__)

T = TypeVar("T")

SWITCH_SECONDS: Final = 0.0005
"""Seconds for which a thread that stores or archives may hold the interpreter while the event loop waits for it, after
each call that sends or reads (Python's default is 5 ms)."""
COLLECTIONS: Final = (50_000, 3, 1)
"""Thresholds of the garbage collector: net new objects, and collections of each generation between two of the next.
With Python's own it stops the event loop several times a second, and nearly nothing that it looks at is garbage."""

__all__ = ["LEASE_LOST", "Services", "database_of", "options_of", "pool_of", "reader_of", "store_of"]

DATABASE_UPGRADED: Final = "database_upgraded"
"""Finish reason of a crawl that found the database upgraded by a newer newscrawl."""
LEASE_LOST: Final = "lease_lost"
"""Finish reason of a crawl that lost its lease: another process crawls the site now."""
COPY_CRAWLED: Final = (
    "another process crawls with a copy of this database (the same installation): sites get the requests of both; stop "
    "one of them"
)


def favour_loop() -> None:
    """Keeps threads and the garbage collector from stopping the event loop for long. Call it after all imports: what
    exists by then stays to the end, so the collector need not look at it."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)


class Services:
    """Scrapy extension that opens store and workers for a crawl and closes them after its last item. Within a fleet it
    uses those of the process, which stay open.

    `Services.of(crawler)` returns it.
    """

    def __init__(
        self, store: Store, pool: ExtractionPool, crawler: Crawler, counts: RequestCounts | None = None
    ) -> None:
        self.store = store
        self.fenced = FencedStore(store, None)
        """The store of this crawl's own writes, which carry its lease."""
        self.pool = pool
        self.counts = counts or RequestCounts(store.notes)
        self.archive: ArchiveWriter | None = None
        """None if the settings turn the archive off."""
        self.refusal: NewscrawlError | None = None
        """The first error of the database or archive for which the crawl was ended."""
        self._crawler = crawler
        self._turn = asyncio.Lock()
        self.begun: Begun | None = None
        """The begin of the crawl; None for a spider without a lease."""
        self._asked_at = 0.0
        self._kept: KeptLease | None = None
        self._decided = Decided()
        self._watch: ControlWatch | None = None
        self._registration: Registration | None = None
        self._removals: RemovalWatch | None = None
        self._ending: asyncio.Task[None] | None = None
        self._copies: CopyLock | None = None
        self._asked: Future[None] | None = None
        """The pending probe of an unreachable database. It is needed because nothing else is written while all requests
        wait for the database."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        context = context_of(crawler)
        if context is not None:
            services = cls(context.shared.store, context.shared.pool, crawler, context.shared.counts)
            services.archive = context.shared.archive
            services.begun = context.begun
            if context.lease is not None:
                services._kept, services.fenced = context.lease, FencedStore(services.store, context.lease.lease)
            crawler.signals.connect(services._join_fleet, signal=signals.engine_started)
            crawler.signals.connect(services._flush, signal=signals.spider_idle)
            return services
        set_up_log(crawler.settings)
        config = config_of(crawler.settings)
        pool = pool_of(config)  # its processes start with the first page
        services = cls(store_of(config, crawls=True), pool, crawler)
        services._prepare(config)
        crawler.signals.connect(services._begin, signal=signals.engine_started)
        crawler.signals.connect(services._flush, signal=signals.spider_idle)
        crawler.signals.connect(services._flush, signal=signals.spider_closed)
        crawler.signals.connect(services._close, signal=signals.engine_stopped)
        return services

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """Returns the services of a crawl that has begun. Raises ProjectError if EXTENSIONS does not name them."""
        services = crawler.get_extension(cls)
        if services is None:
            raise ProjectError(f"no store: EXTENSIONS must name {cls.__module__}.{cls.__name__}, see settings/base.py")
        return services

    async def written(self, future: Future[T]) -> T:
        """Returns what a thread has written of a page. The pages of a batch are ready together, and each then has work
        to do: one of them goes on in each turn of the event loop, so that other work need not wait for all."""
        result = await asyncio.wrap_future(future)
        async with self._turn:
            await asyncio.sleep(0)
        return result

    def _join_fleet(self) -> None:
        downloader = self._crawler.engine.downloader
        if isinstance(downloader, ThrottledDownloader):
            downloader.counts = self.counts
            if self._kept is not None:
                downloader.is_lease_in_force = self._kept.is_in_force
            in_fleet = context_of(self._crawler) is not None  # which checks at every tick
            downloader.is_storage_away = self._holds_requests if in_fleet else self._is_storage_away
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is not None:
            context = context_of(self._crawler)
            robots.memory = context.shared.robots if context is not None else RobotsStore(self.store)

    def _holds_requests(self) -> bool:
        archive = self.archive
        if archive is None or not archive.holds_requests():
            return self.store.is_away
        if archive.has_given_up() and self._ending is None:
            problem = archive.refusals.problem or f"the disk of the archive ({archive.settings.folder}) is nearly full"
            self.stop_for_storage(ArchiveError(problem), ARCHIVE_REFUSED)
        return True

    def _is_storage_away(self) -> bool:
        if not self.store.is_away:
            return self._holds_requests()
        if self._asked is None or self._asked.done():
            self._asked = self.store.run(probe)
        return True

    def _prepare(self, config: Config) -> None:
        """Does what must be done before anything is fetched."""
        try:
            self.archive = archive_writer_of(config, self.store)
            self._copies = copy_lock(self.store, config)
            # Before the lease, which nothing renews yet: this machine may have been away while something was forgotten.
            remove_before_crawling(self.store, self.archive)
            self._take_lease(config)
        except BaseException:
            self.pool.close()
            self.store.close()
            raise

    def _take_lease(self, config: Config) -> None:
        site = getattr(self._crawler.spider, "lease_name", None)
        if site is None:
            return
        self._decided = check_allowed(self.store, self._site, datetime.now(UTC))
        self._asked_at = steady_seconds()
        self.store.run(registered.register, process_of(config, f"crawl {site}"), is_dead).result()
        least = getattr(self._crawler.spider, "least_new_pages", None)
        began = datetime.now(UTC)
        crawl = Beginning(self._site, site, this_process(), began, DURATION, is_dead, least)
        self.begun = self.store.run(crawls.begin, crawl).result()
        self.fenced = FencedStore(self.store, self.begun.lease)

    @property
    def _site(self) -> str:
        return str(getattr(self._crawler.spider, "name", ""))

    def _begin(self) -> None:
        favour_loop()
        if self.begun is not None:
            lease = self.begun.lease
            self._kept = KeptLease(self.store.notes, lease, self._lost, asked_at=self._asked_at)
            process = process_of(config_of(self._crawler.settings), f"crawl {lease.site}")
            self._registration = Registration(self.store.notes, process, self._outdated)
        if self.archive is not None:
            self._removals = RemovalWatch(self.store, self.archive)
        self._join_fleet()
        downloader = self._crawler.engine.downloader
        if isinstance(downloader, ThrottledDownloader):
            seconds = self._crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
            downloader.throttle.claims = HostClaims(self.store, lease=DURATION.total_seconds(), request=seconds)
            downloader.limit_requests(self._decided.budget, self._decided.requests_today)
        if self.begun is not None:
            self._watch = ControlWatch(
                self.store, self._site, self._decided, lambda: self._end(PAUSED), self._limit_requests
            )

    def _limit_requests(self, budget: int | None) -> None:
        """Applies a budget that a command changed during the crawl."""
        downloader = self._crawler.engine.downloader
        if isinstance(downloader, ThrottledDownloader):
            downloader.limit_requests(budget, self._decided.requests_today)

    def stop_for_storage(self, error: NewscrawlError, counter: str = STORAGE_REFUSED) -> None:
        """Counts that something could not be stored, and ends the crawl, because further pages could not be stored
        either. Pages that were not stored stay `found` for the next crawl."""
        self.refusal = self.refusal or error
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(counter)
        self._end(STORAGE_FAILED)

    def stop_for_lost_lease(self) -> None:
        """Ends the crawl, because another process crawls the site now. Its pages stay due for that process."""
        self._end(LEASE_LOST)

    def _outdated(self, message: str) -> None:
        logger.error("%s", message)
        self.refusal = self.refusal or DatabaseUpgraded(message)
        self._end(DATABASE_UPGRADED)

    def _lost(self, refused: StorageError | None) -> None:
        if refused is not None:
            self.stop_for_storage(refused)
        else:
            self.stop_for_lost_lease()

    def _end(self, reason: str) -> None:
        engine = self._crawler.engine
        if self._ending is None and engine is not None and engine.spider is not None:
            self._ending = asyncio.get_running_loop().create_task(engine.close_spider_async(reason=reason))

    def _flush(self, spider: Spider) -> None:
        # Nothing more will fill the batch: its items wait for their commit before the spider can close.
        self.store.flush()

    async def _close(self) -> None:
        await self.counts.close()
        downloader = self._crawler.engine.downloader if self._crawler.engine is not None else None
        if isinstance(downloader, ThrottledDownloader) and downloader.throttle.claims is not None:
            await downloader.throttle.claims.close()
        if self._watch is not None:
            await self._watch.close()
        if self._kept is not None:
            await self._kept.release()
        if self._registration is not None:
            await self._registration.close()
        if self._removals is not None:
            await self._removals.close()
        self.pool.close()
        if self.archive is not None:
            self.archive.close()
        self.store.close()
        if self._copies is not None:
            self._copies.close()


def pool_of(config: Config) -> ExtractionPool:
    """Returns the pool of worker processes of the settings, by default one for each core. They run with a lower
    priority than the crawl itself."""
    wanted = config.workers
    return ExtractionPool(
        options_of(config),
        workers=wanted.count or len(os.sched_getaffinity(0)),
        timeout=wanted.timeout,
        memory_mb=wanted.memory_mb,
    )


def copy_lock(store: Database, config: Config) -> CopyLock | None:
    """Returns the lock that this process holds while it crawls, after a warning if a copy is crawled; None if the
    database does not answer."""
    folder = folder_of(config)
    try:
        with store.reading() as connection:
            lock = CopyLock(connection, [Path(tempfile.gettempdir()), *([folder] if folder is not None else [])])
    except StorageError:
        return None
    if lock.is_copy_crawled():
        logger.warning(COPY_CRAWLED)
    return lock
