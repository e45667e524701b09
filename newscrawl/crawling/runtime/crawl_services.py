"""What the crawls of one process share: database, workers, archive, the numbers of requests, hosts, robots.txt.

`scrapy crawl SITE` opens it for its one crawl, `newscrawl run` once for all of its crawls (runtime.site_session). Its
life is `open`, a block of `attended`, `settle` after the last crawl, `close`. Nothing here knows Scrapy.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Self

from newscrawl.archive.remove import remove_asked, take_over_files
from newscrawl.archive.writer import ArchiveWriter
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.derived.stores import store_of
from newscrawl.config.logs.lines import SaidOnce
from newscrawl.config.version import version
from newscrawl.crawling.downloader.claims import HostClaims
from newscrawl.crawling.downloader.middlewares.robots import RobotsStore
from newscrawl.crawling.downloader.throttle import HostThrottle, policy_of
from newscrawl.crawling.runtime.archive import archive_writer_of, folder_of, machine_of
from newscrawl.crawling.runtime.repeating import GoesOn, repeating, working
from newscrawl.crawling.runtime.site_lease import DURATION
from newscrawl.errors import ArchiveError, StorageError
from newscrawl.storage import machines, migrations
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.frontier import crawls
from newscrawl.storage.machines import BEAT, CopyLock, CrawlingProcess
from newscrawl.storage.reader import Database, Transactions
from newscrawl.storage.store import Store
from newscrawl.workers.extraction_pool import ExtractionPool
from newscrawl.workers.processes.process_names import is_dead, this_process

logger = logging.getLogger(__name__)

SWITCH_SECONDS: Final = 0.0005
"""Seconds for which a thread that stores or archives may hold the interpreter while the event loop waits for it, after
each call that sends or reads (Python's default is 5 ms)."""
COLLECTIONS: Final = (50_000, 3, 1)
"""Thresholds of the garbage collector: net new objects, and collections of each generation between two of the next.
With Python's own it stops the event loop several times a second, and nearly nothing that it looks at is garbage."""
ATTENDED_EVERY: Final = BEAT.total_seconds()
"""Seconds between two signs of life, and between two looks for what is to be removed from this machine's archive."""
LINGER: Final = 1.0
"""Seconds for which numbers of requests wait for others."""
LOCKED_PAUSE: Final = 0.5
"""Seconds between two attempts while another process of the machine removes something from the archive."""
NOT_REMOVED: Final = "the removal from the archive failed and is tried again: %s"
COPY_CRAWLED: Final = (
    "another process crawls with a copy of this database (the same installation): sites get the requests of both; stop "
    "one of them"
)


def favour_loop() -> None:
    """Keeps threads and the garbage collector from stopping the event loop for long. Call it after all imports: what
    exists by then stays to the end, so the collector need not look at it."""
    importlib.import_module("newscrawl.model.identity.signature")  # numpy, which the first near-duplicate needs
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)


@dataclass(frozen=True, slots=True)
class CrawlServices:
    """What exists once in a process, for all its crawls. `lease` is for how long a site or host is leased without a
    renewal."""

    config: Config
    store: Store
    pool: ExtractionPool
    archive: ArchiveWriter | None
    """None if the settings turn the archive off."""
    lease: timedelta
    counts: RequestCounts
    claims: HostClaims
    throttle: HostThrottle
    robots: RobotsStore
    copies: CopyLock | None

    @classmethod
    def open(
        cls,
        config: Config,
        pool: ExtractionPool,
        *,
        request_seconds: float,
        lease: timedelta = DURATION,
        patience: RetryPolicy | None = None,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> Self:
        """Opens database and archive, and removes from the archive what this machine was asked to remove, which stops
        early once `goes_on` returns False. Blocks; nothing of it needs an event loop.

        `request_seconds` is how long a request may last, `patience` how long the store waits for its database. Raises
        StorageError, WrongClock, ConfigurationError, and UsageError without the client of an object store.
        """
        store = store_of(config, patience=patience, crawls=True)
        try:
            archive = archive_writer_of(config, store)
            # Before a lease, which nothing renews yet: this machine may have been away while something was forgotten.
            remove_before_crawling(store, archive, goes_on)
        except BaseException:
            store.close()
            raise
        claims = HostClaims(store, lease=lease.total_seconds(), request=request_seconds)
        return cls(
            config,
            store,
            pool,
            archive,
            lease,
            RequestCounts(store.notes),
            claims,
            HostThrottle(policy_of(config), claims=claims),
            RobotsStore(store),
            copy_lock(store, config),
        )

    @asynccontextmanager
    async def attended(
        self,
        role: str | None,
        outdated: Callable[[str], None],
        gone: Callable[[Collection[str]], None] | None = None,
    ) -> AsyncIterator[None]:
        """Until the block is left, keeps this process registered as `role` ("run" or "crawl SITE"; None: not at all),
        see `registered_process`, and removes from its archive what is forgotten elsewhere. Raises StorageError."""
        async with AsyncExitStack() as stack:
            if self.archive is not None:
                await stack.enter_async_context(removing(self.store, self.archive, ATTENDED_EVERY))
            if role is not None:
                process = self.process(role)
                registered = registered_process(self.store.notes, process, outdated, ATTENDED_EVERY, gone)
                await stack.enter_async_context(registered)
            yield

    def process(self, role: str) -> CrawlingProcess:
        """Returns what is registered of this process. `role` is "run" or "crawl SITE"."""
        return CrawlingProcess(this_process(), machine_of(self.config), role, version(), migrations.HEAD)

    async def settle(self) -> None:
        """Writes the last numbers of requests and ends the turns of hosts. Call it after the last crawl."""
        await self.counts.close()
        await self.claims.close()

    def close(self) -> None:
        """Closes workers, archive, database and the lock of the copy, in this order. Blocks."""
        self.pool.close()
        if self.archive is not None:
            self.archive.close()
        self.store.close()
        if self.copies is not None:
            self.copies.close()


class RequestCounts:
    """The requests of sites, and those for never-fetched pages, that are not counted in the database yet. The daily
    budget of a site and its daily limit of new addresses need the numbers. Those of a second go into one transaction,
    so a killed process loses the numbers of a second. It is used in the event loop only."""

    def __init__(self, store: Transactions, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._now = now
        self._database = SaidOnce(logger, "requests are not counted: %s", "requests are counted again")
        self._of_sites: Counter[str] = Counter()
        self._new_pages: Counter[str] = Counter()
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def note(self, site: str, new_page_of: str | None = None) -> None:
        """Counts one more request of the site. If it is for a never-fetched page, `new_page_of` is the name of the
        crawl's lease."""
        self._of_sites[site] += 1
        if new_page_of is not None:
            self._new_pages[new_page_of] += 1
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write())

    async def written(self) -> None:
        """Writes what is noted, and returns after the commit. Raises StorageError if the database refuses it."""
        async with self._writing:
            of_sites, self._of_sites = self._of_sites, Counter()
            new_pages, self._new_pages = self._new_pages, Counter()
            if of_sites:
                run = self._store.run(crawls.count_requests, of_sites, new_pages, self._now())
                await asyncio.wrap_future(run)

    async def close(self) -> None:
        """Writes the remaining numbers. An error is logged, because no caller could handle it."""
        try:
            await self.written()
        except StorageError as error:
            logger.warning("the last requests are not counted: %s", error)
        if self._task is not None:
            self._task.cancel()

    async def _write(self) -> None:
        while self._of_sites:
            await asyncio.sleep(LINGER)
            try:
                await self.written()
            except StorageError as error:
                self._database.failed(error)
            else:
                self._database.worked()


def remove_before_crawling(store: Database, archive: ArchiveWriter | None, goes_on: GoesOn = lambda: True) -> None:
    """Does everything that this machine was asked to remove, and stores that it holds the files that it finds in its
    folder. It stops early once `goes_on` returns False. Raises StorageError; a failure of the disk or the object
    store is logged."""
    if archive is None:
        return
    try:
        take_over_files(store, archive.settings)
        while remove_asked(store, archive.settings, datetime.now(UTC), goes_on).files_left("locked") and goes_on():
            time.sleep(LOCKED_PAUSE)
    except (ArchiveError, OSError) as error:
        logger.error(NOT_REMOVED, error)  # noqa: TRY400  its one line says all


@asynccontextmanager
async def removing(store: Database, archive: ArchiveWriter, every: float) -> AsyncIterator[None]:
    """Looks every so many seconds whether the machine was asked to remove something, and does it in a thread, until the
    block is left: then after the file that is being rewritten. Files that this process writes are closed for that."""

    async def look(goes_on: GoesOn) -> None:
        done = await asyncio.to_thread(remove_asked, store, archive.settings, datetime.now(UTC), goes_on)
        if busy := done.files_left("busy"):
            archive.finish_files(busy)

    said = SaidOnce(logger, NOT_REMOVED, "the removal from the archive goes on")
    async with working(every, look, said):
        yield


def pool_of(config: Config) -> ExtractionPool:
    """Returns the pool of worker processes of the settings, by default one for each core. They run with a lower
    priority than the crawl itself, and start with the first page."""
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


@asynccontextmanager
async def registered_process(
    store: Transactions,
    process: CrawlingProcess,
    outdated: Callable[[str], None],
    every: float,
    gone: Callable[[Collection[str]], None] | None = None,
) -> AsyncIterator[None]:
    """Registers the process, so that operators see every machine and a machine that is gone raises an alarm. Until the
    block is left, it says every so many seconds that it is alive. Raises StorageError if it cannot be registered.

    `outdated` is called once, with a message of one line, if another newscrawl has upgraded the database to a newer
    schema than this process was written for. `gone` gets the names of the machines that are gone, each time.
    """
    is_reported = False

    async def beat() -> None:
        nonlocal is_reported
        try:
            revision = await asyncio.wrap_future(store.run(machines.beat, process))
            if gone is not None:
                gone(await asyncio.wrap_future(store.run(machines.gone)))
        except StorageError as error:
            logger.debug("the row of this process could not be updated: %s", error)
            return
        if revision > process.revision and not is_reported:
            is_reported = True
            outdated(
                f"the database was upgraded to schema {revision}, newer than this newscrawl's {process.revision}: this "
                "process ends; start it again with the new version"
            )

    await asyncio.wrap_future(store.run(machines.register, process, is_dead))
    if gone is not None:
        gone(await asyncio.wrap_future(store.run(machines.gone)))
    try:
        async with repeating(every, beat, finishes=False):
            yield
    finally:
        with suppress(StorageError):  # it counts as ended once it was not seen for a while
            await asyncio.wrap_future(store.run(machines.end, process))
