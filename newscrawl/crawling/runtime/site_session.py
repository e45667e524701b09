"""One crawl of one site, from its begin to its end, alone or within a fleet.

              `scrapy crawl SITE`                           `newscrawl run`
    start     `alone`: opens a CrawlServices of its own     `crawl`, with the CrawlServices of the process
    begin     both take the site's lease, in the transaction that stores the row of the crawl
    items     both `save`, `record` and `run` under the lease: another process may have become the owner meanwhile
    idle      both commit the batch, which nothing more will fill
    end       `_note_run`, then `_ended`: the row, then     `_note_end`: the row, the site's times and the end of the
              the lease, then everything is closed          lease in one transaction

A spider that has no `lease_name`, as those of a project with the add-on, is crawled alone and without a lease.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Self, TypeVar

from scrapy import Request, signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler

from newscrawl.config.derived.daily_requests import budget_of, read
from newscrawl.config.logs.lines import about
from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.scrapy_internals import counters, engine_of
from newscrawl.crawling.downloader.throttle import RESTING, STOPPED, UNWRITTEN
from newscrawl.crawling.runtime.log_setup import set_up_log
from newscrawl.crawling.runtime.repeating import repeating
from newscrawl.crawling.runtime.site_lease import KeptLease, steady_seconds
from newscrawl.crawling.runtime.summary import ARCHIVE_REFUSED, STORAGE_FAILED, STORAGE_REFUSED
from newscrawl.crawling.scheduling.site_selection import Start
from newscrawl.crawling.scheduling.site_state import Allowance
from newscrawl.errors import (
    ArchiveError,
    DailyBudgetReached,
    DatabaseUpgraded,
    LeaseLost,
    NewscrawlError,
    ProjectError,
    StorageError,
    UsageError,
)
from newscrawl.model import ProcessedPage
from newscrawl.storage import machines
from newscrawl.storage.frontier import crawls, leases, sites
from newscrawl.storage.frontier.crawls import Beginning, Begun
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.frontier.source_state import SourceItem
from newscrawl.storage.reader import Connection
from newscrawl.storage.records import DuePage, Outcome, PlanSource
from newscrawl.storage.store import Store
from newscrawl.workers.processes.process_names import is_dead, this_process

if TYPE_CHECKING:
    from newscrawl.crawling.runtime.crawl_services import CrawlServices
    from newscrawl.crawling.spider.news_spider import NewsSpider
    from newscrawl.workers.extraction_pool import ExtractionPool

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

ATTRIBUTE: Final = "newscrawl_session"
"""The name of an attribute of the crawler. It is not in the crawler's settings, which Scrapy copies deeply."""
EXTENSION: Final = "newscrawl.crawling.runtime.services.Services"
"""The name under which EXTENSIONS has SiteSession."""
LOOK_SECONDS: Final = 8.0
"""Seconds between two reads of what commands decided about the site (the table `sites`)."""
POLL_SECONDS: Final = 0.1
"""Seconds between two checks of whether a crawl that is to end has begun."""

NEW_PAGE: Final = "newscrawl_new_page"
"""Key in request.meta of a request for a page that was never fetched, until it is sent."""
DAILY_BUDGET_REACHED: Final = "politeness/daily_budget_reached"
FINISHED: Final = "finished"
DRAINED: Final = "shutdown"
TIME_LIMIT: Final = "time_limit"
"""Why a fleet asks a crawl to end: the process ends, or other sites wait for its place."""
PAUSED: Final = "paused"
"""Finish reason of a crawl whose site was paused."""
LEASE_LOST: Final = "lease_lost"
"""Finish reason of a crawl that lost its lease: another process crawls the site now."""
DATABASE_UPGRADED: Final = "database_upgraded"
"""Finish reason of a crawl that found the database upgraded by a newer newscrawl."""


@dataclass(frozen=True, slots=True)
class FleetCrawl:
    """What a fleet decides about a crawl."""

    start: Start
    spider: type[NewsSpider]
    plan: PlanSource
    """Plans the sources that a whole crawl did not read."""
    compares: bool = False
    """Whether the front page is compared with the sources when that is due."""
    least_new: int | None = None
    """The minimum of the site's daily limit of never-fetched addresses; None without a limit."""
    next_crawl: datetime | None = None
    """When the site's own timetable begins its next crawl, which reads all sources again; None without one."""

    @property
    def reads_all(self) -> bool:
        """Whether all sources are read, except those that asked for a pause, and not only those that are due."""
        return self.start.reason in {"timetable", "first"}


class SiteSession:
    """One crawl: its lease, its writes, its budget, and why it ends. It is a Scrapy extension, under the name of
    `EXTENSION`."""

    def __init__(self, services: CrawlServices, site: str, began: datetime, fleet: FleetCrawl | None = None) -> None:
        self.services = services
        self.site = site
        self.began = began
        self.fleet = fleet
        """None for a crawl alone."""
        self.begun: Begun | None = None
        """The lease and what was read when the crawl began; None before, and for a spider without a lease."""
        self._run = 0
        """The number of the crawl's row in `runs`."""
        self.crawler: Crawler | None = None
        self.task: asyncio.Task[None] | None = None
        """That of the fleet in which `crawl` runs."""
        self.stop_reason: str | None = None
        """The first reason for which the crawl was asked to end."""
        self.refusal: NewscrawlError | None = None
        """The first error of the database or archive for which the crawl was ended."""
        self._kept: KeptLease | None = None
        self._asked_at = 0.0
        self._requests = self._requests_before = 0
        left = fleet.start.requests_left if fleet is not None else None
        self._most_requests = float("inf") if left is None else left
        self._turn = asyncio.Lock()
        self._asked: Future[None] | None = None
        """The pending probe of an unreachable database. It is needed because nothing else is written while all requests
        wait for the database."""
        self._stopping: asyncio.Task[None] | None = None
        self._is_over = False
        self._attendance = AsyncExitStack()
        """What a crawl alone does beside its requests."""

    # --- start and begin ---

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Returns the session of a fleet's crawl; a crawl without one is alone and is begun now."""
        return getattr(crawler, ATTRIBUTE, None) or cls.alone(crawler)

    @classmethod
    def alone(cls, crawler: Crawler, pool: ExtractionPool | None = None) -> Self:
        """Opens everything for the only crawl of a process and begins it. Blocks. `pool` are the workers, None for
        those of the settings.

        Raises UsageError if the site is paused, DailyBudgetReached, SiteLeased, and the errors of CrawlServices.open.
        """
        # Here, because commands that crawl nothing load this module with the spiders.
        from newscrawl.crawling.runtime.crawl_services import CrawlServices, pool_of

        set_up_log(crawler.settings)
        config, seconds = config_of(crawler.settings), crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        pool = pool or pool_of(config)
        try:
            services = CrawlServices.open(config, pool, request_seconds=seconds)
        except BaseException:
            pool.close()
            raise
        session = cls(services, str(getattr(crawler.spider, "name", "")), datetime.now(UTC))
        try:
            session._begin_alone(crawler.spider)
        except BaseException:
            services.close()
            raise
        session.join(crawler)
        return session

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """Returns the session of a crawl that has begun. Raises ProjectError if EXTENSIONS does not name it."""
        session: Self | None = session_of(crawler)  # type: ignore[assignment]
        if session is None:
            raise ProjectError(f"no store: EXTENSIONS must name {EXTENSION}, see settings/base.py")
        return session

    def join(self, crawler: Crawler) -> None:
        """Makes this the session of a crawler whose crawl has not begun."""
        self.crawler = crawler
        setattr(crawler, ATTRIBUTE, self)
        crawler.signals.connect(self._flush, signal=signals.spider_idle)
        if self.fleet is None:
            crawler.signals.connect(self._started, signal=signals.engine_started)
            crawler.signals.connect(self._note_run, signal=signals.spider_closed)
            crawler.signals.connect(self._ended, signal=signals.engine_stopped)

    def _begin_alone(self, spider: Any) -> None:
        name = getattr(spider, "lease_name", None)
        services, store = self.services, self.services.store
        if name is None:
            site = str(getattr(spider, "site", self.site))
            self._run = store.run(crawls.add_run, site, self.began).result()
            return
        found = check_allowed(store, self.site, datetime.now(UTC))
        self._requests_before = found.requests_today
        self._limit_requests(found.budget)
        self._asked_at = steady_seconds()
        store.run(machines.register, services.process(f"crawl {name}"), is_dead).result()
        least_new = getattr(spider, "least_new_pages", None)
        self._has_begun(store.run(crawls.begin, self._beginning(name, least_new)).result())

    def _beginning(self, name: str, least_new: int | None) -> Beginning:
        in_fleet, compares = self.fleet is not None, self.fleet is not None and self.fleet.compares
        by = (this_process(), self.began, self.services.lease, is_dead)
        return Beginning(self.site, name, *by, least_new, in_fleet=in_fleet, compares=compares)

    def _has_begun(self, begun: Begun) -> Begun:
        self.begun, self._run = begun, begun.run
        return begun

    def _keep_lease(self, begun: Begun) -> KeptLease:
        self._kept = KeptLease(
            self.services.store.notes, begun.lease, self._lost, self.services.lease, asked_at=self._asked_at
        )
        return self._kept

    async def _started(self) -> None:
        """Begins what a crawl alone does beside its requests."""
        from newscrawl.crawling.runtime.crawl_services import favour_loop

        favour_loop()
        attendance, begun = self._attendance, self.begun
        role = f"crawl {begun.lease.site}" if begun is not None else None
        if begun is not None:
            attendance.push_async_callback(self._keep_lease(begun).release)
        await attendance.enter_async_context(self.services.attended(role, self._outdated))
        if begun is not None:
            await attendance.enter_async_context(repeating(LOOK_SECONDS, self._look_at_controls, finishes=False))

    async def crawl(self, process: AsyncCrawlerProcess) -> None:
        """Crawls the site within its fleet. Raises SiteLeased if another process crawls it, StorageError, and the
        exception with which the crawl failed."""
        services, fleet = self.services, self.fleet
        if fleet is None:
            raise RuntimeError("only a fleet crawls so")
        self._asked_at = steady_seconds()
        beginning = self._beginning(self.site, fleet.least_new)
        begun = self._has_begun(await asyncio.wrap_future(services.store.run(crawls.begin, beginning)))
        kept = self._keep_lease(begun)
        try:
            if self.stop_reason is None:
                crawler = process.create_crawler(fleet.spider)
                self.join(crawler)
                await process.crawl(crawler)
            await self._note_end(fleet, begun, kept)
        except Exception:
            await self._note_run()
            raise
        finally:
            self._is_over = True
            await kept.release()

    # --- items and other writes ---

    @property
    def owned(self) -> Lease | None:
        """The lease that the crawl's writes carry. Once another process owns the site, they fail with LeaseLost and
        nothing is written. None without a lease: then they are written in any case."""
        return self.begun.lease if self.begun is not None else None

    def save(self, page: ProcessedPage) -> Future[Outcome]:
        """Stores a page with its batch; see Store.save."""
        return self.services.store.save(page, self.owned)

    def record(self, what: SourceItem | FailedRequest) -> Future[list[DuePage]]:
        """Stores what happened to a source, or a failed request, with the next batch; see Store.record."""
        return self.services.store.record(what, self.owned)

    def run(
        self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `transaction(connection, ...)` in its own transaction; see Store.run."""
        if self.owned is None:
            return self.services.store.run(transaction, *args, **kwargs)
        return self.services.store.run(leases.fenced, self.owned, transaction, *args, **kwargs)

    async def committed(self, future: Future[T]) -> T:
        """Returns the result of a write once it is committed. If the database refuses it, or the lease is lost, the
        crawl ends, and the error is raised."""
        try:
            return await asyncio.wrap_future(future)
        except LeaseLost:
            self.stop(LEASE_LOST)
            raise
        except StorageError as error:
            self.stop_for_storage(error)
            raise

    async def written(self, future: Future[T]) -> T:
        """Returns what a thread has written of a page, as `committed` does. The pages of a batch are ready together,
        and each then has work to do: one of them goes on in each turn of the event loop, so that other work need not
        wait for all."""
        result = await self.committed(future)
        async with self._turn:
            await asyncio.sleep(0)
        return result

    def _flush(self) -> None:
        self.services.store.flush()

    # --- whether a request may be sent ---

    def is_in_force(self) -> bool:
        """Returns whether this process still owns the site's lease for certain."""
        return self._kept is None or self._kept.is_in_force()

    def has_budget(self) -> bool:
        """Returns whether today's budget of the site allows one more request."""
        return self._requests < self._most_requests

    @property
    def allowance(self) -> Allowance | None:
        """What was left of the daily limit of never-fetched addresses when the crawl began, less what it has requested
        since; None without a limit."""
        return self.begun.allowance if self.begun is not None else None

    def has_to_wait(self, request: Request) -> bool:
        """Returns whether a request for a never-fetched page has to wait for another day."""
        allowance = self.allowance
        return NEW_PAGE in request.meta and allowance is not None and allowance.is_used_up(datetime.now(UTC))

    def note_request(self, request: Request) -> None:
        """Counts a request that is sent now. One for a never-fetched page counts once for the limit, also if it is
        repeated or redirected."""
        self._requests += 1
        is_new = request.meta.pop(NEW_PAGE, False)
        if is_new and self.allowance is not None:
            self.allowance.take(datetime.now(UTC))
        name = self.begun.lease.site if self.begun is not None else self.site
        self.services.counts.note(self.site, name if is_new else None)

    def is_storage_away(self) -> bool:
        """Returns whether fetched pages could not be stored, because the database is unreachable or the archive's disk
        full. A crawl alone asks the database again, a fleet does so at every tick. Once the archive has given up, the
        crawl ends."""
        services, archive = self.services, self.services.archive
        if services.store.is_away and self.fleet is None:
            if self._asked is None or self._asked.done():
                self._asked = services.store.run(probe)
            return True
        if archive is None or not archive.holds_requests():
            return services.store.is_away
        if archive.has_given_up() and self.stop_reason is None:
            problem = archive.refusals.problem or f"the disk of the archive ({archive.settings.folder}) is nearly full"
            self.stop_for_storage(ArchiveError(problem), ARCHIVE_REFUSED)
        return True

    def _limit_requests(self, budget: int | None) -> None:
        """Sets how many requests the site may get in the day (UTC) of this crawl's start; None: any number."""
        self._most_requests = float("inf") if budget is None else max(0, budget - self._requests_before)

    async def _look_at_controls(self) -> None:
        """Applies to a crawl alone what commands decided: `newscrawl pause`, `resume` and `budget`. A priority chooses
        between sites, so it has no effect on the crawl of one site."""
        try:
            found = await asyncio.to_thread(decided, self.services.store, self.site, datetime.now(UTC))
        except StorageError:
            return  # the crawl itself reports a database that does not answer
        if not found.is_paused:
            self._limit_requests(found.budget)
        elif self.stop_reason is None:
            site = self.site
            logger.info("%s is paused: its crawl ends after the requests in progress", site, extra=about(site))
            self.stop(PAUSED)

    # --- why it ends ---

    def stop(self, reason: str) -> None:
        """Asks the crawl to end: requests in progress are finished and stored, the rest stays due."""
        if self.stop_reason is None:
            self.stop_reason = reason
            self._stopping = asyncio.get_running_loop().create_task(self._close_spider(reason))

    def stop_for_storage(self, error: NewscrawlError, counter: str = STORAGE_REFUSED) -> None:
        """Counts that something could not be stored, and ends the crawl, because further pages could not be stored
        either. Pages that were not stored stay `found` for the next crawl."""
        self.refusal = self.refusal or error
        if self.crawler is not None and self.crawler.stats is not None:
            self.crawler.stats.inc_value(counter)
        self.stop(STORAGE_FAILED)

    def _outdated(self, message: str) -> None:
        logger.error("%s", message)
        self.refusal = self.refusal or DatabaseUpgraded(message)
        self.stop(DATABASE_UPGRADED)

    def _lost(self, refused: StorageError | None) -> None:
        if refused is not None and self.fleet is None:
            self.stop_for_storage(refused)
        else:
            self.stop(LEASE_LOST)

    async def _close_spider(self, reason: str) -> None:
        while not self._is_over:
            engine = engine_of(self.crawler)
            if engine is not None and engine.running and engine.spider is not None:
                await engine.close_spider_async(reason=reason)
                return
            await asyncio.sleep(POLL_SECONDS)  # it is about to begin, or has just ended

    # --- end ---

    @property
    def counters(self) -> Mapping[str, Any]:
        """Scrapy's counters, empty before the crawl begins."""
        return counters(self.crawler)

    @property
    def finish_reason(self) -> str:
        """Scrapy's finish reason: "finished" after a complete crawl, "" before the end."""
        return str(self.counters.get("finish_reason", ""))

    @property
    def in_flight(self) -> int:
        """Number of requests that are being sent or wait for their host throttle."""
        engine = engine_of(self.crawler)
        return len(engine.downloader.active) if engine is not None else 0

    async def _note_run(self) -> None:
        """Notes in the row of the crawl that it has ended, and its counters."""
        ending = (self._run, datetime.now(UTC), dict(self.counters))
        with contextlib.suppress(StorageError):  # logged by the writer; this crawl will count as unfinished
            await asyncio.wrap_future(self.services.store.notes.run(crawls.finish_run, *ending))

    async def _ended(self) -> None:
        """Closes everything of a crawl alone: the last numbers and hosts, the lease, then workers, archive and
        database."""
        self._is_over = True
        try:
            await self.services.settle()
            await self._attendance.aclose()
        finally:
            self.services.close()

    async def _note_end(self, fleet: FleetCrawl, begun: Begun, kept: KeptLease) -> None:
        """Notes the end of a crawl within its fleet, and ends its lease with it."""
        with contextlib.suppress(StorageError):
            await self.services.counts.written()  # a crawl does not fail for its request counts
        refused = any(self.counters.get(kind) for kind in (RESTING, DAILY_BUDGET_REACHED, STOPPED, UNWRITTEN))
        whole = self.finish_reason == FINISHED and not refused
        is_over = self.stop_reason != DRAINED  # a drained crawl is continued by the next process
        home = str(getattr(fleet.spider, "home", None) or f"https://{fleet.spider.domains[0]}/")
        plan = fleet.plan if whole and is_over else None
        times = self.began, datetime.now(UTC)
        counters = dict(self.counters)
        await kept.stop()
        ended = self.run(crawls.end, begun, *times, counters, is_over=is_over, home=home, plan=plan)
        await asyncio.wrap_future(ended)


def session_of(crawler: Crawler) -> SiteSession | None:
    """Returns the session of a crawl; None for one that stores nothing, and before it has begun."""
    return getattr(crawler, ATTRIBUTE, None)


@dataclass(frozen=True, slots=True)
class Decided:
    """The decisions of commands about a site. `budget` is the number of requests a day (UTC), None without a limit;
    `requests_today` are those that the database counts."""

    is_paused: bool = False
    budget: int | None = None
    requests_today: int = 0


def decided(store: Store, site: str, now: datetime) -> Decided:
    """Returns what holds for the site. Raises StorageError."""
    with store.reading() as connection:
        control = sites.control(connection, site)
        if control is None:
            return Decided()
        (row,) = sites.history(connection, [site], now)
    asked = control.daily_requests
    return Decided(control.is_paused(now), budget_of(read(site, asked)) if asked else None, row.requests_today)


def check_allowed(store: Store, site: str, now: datetime) -> Decided:
    """Returns what holds for the site. Raises UsageError if it is paused, DailyBudgetReached if today's budget is used
    up."""
    found = decided(store, site, now)
    if found.is_paused:
        raise UsageError(f"site {site!r} is paused: `newscrawl resume {site}` ends the pause")
    if found.budget is not None and found.requests_today >= found.budget:
        raise DailyBudgetReached(site, found.budget)
    return found
