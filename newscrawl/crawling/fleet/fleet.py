"""The loop of `newscrawl run`: every few seconds it reads which sites are due, starts crawls and asks others to end."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import Final

from scrapy.crawler import AsyncCrawlerProcess

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.intervals import source_planner
from newscrawl.config.logs.lines import about
from newscrawl.config.scrapy_cfg import missing_name
from newscrawl.crawling.downloader.throttle import host_key
from newscrawl.crawling.fleet.board import Board
from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.crawling.fleet.due_sites import DueSites
from newscrawl.crawling.runtime.crawl_services import CrawlServices
from newscrawl.crawling.runtime.progress import one_line
from newscrawl.crawling.runtime.site_session import DRAINED, PAUSED, TIME_LIMIT, FleetCrawl, SiteSession
from newscrawl.crawling.runtime.summary import STORAGE_FAILED
from newscrawl.crawling.scheduling.site_selection import Decision, FleetPolicy, Start, decide, has_new
from newscrawl.crawling.scheduling.site_state import SiteControl, SiteDue
from newscrawl.errors import NewscrawlError, SiteLeased, StorageError
from newscrawl.model.wording import counted
from newscrawl.monitoring.watchdog import is_wanted
from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.monitoring import alarms
from newscrawl.workers.processes.process_names import is_dead

logger = logging.getLogger(__name__)

CONTROL_SECONDS: Final = 5.0
"""Seconds between two reads of what commands decided about sites (the table `sites`)."""
RELOAD_SECONDS: Final = 5.0
"""Seconds between two checks of whether files of the declarations changed."""
BROKEN_FOR: Final = timedelta(minutes=15)
"""A site whose crawl could not be started is not tried again for this long, or until its file changes."""
ONCE_PATIENCE: Final = 60.0
"""Seconds for which `run --once` retries a database that refuses. It is limited because the caller waits for the
end."""
DECLARATION: Final = "declaration"
"""The kind of alarm for a declaration that cannot be used."""


class Fleet:
    """All crawls of a process. `run` returns when it was stopped, or, with `once`, when nothing is due any more."""

    def __init__(
        self,
        declarations: Declarations,
        services: CrawlServices,
        process: AsyncCrawlerProcess,
        board: Board,
        *,
        once: bool = False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.declarations = declarations
        self.services = services
        self.process = process
        self.board = board
        self._config = services.config
        self._once = once
        self.running: dict[str, SiteSession] = {}
        self._now = now
        self._stopping = asyncio.Event()
        self._reload = False
        self._controls_checked_at = float("-inf")
        self._files_checked_at = time.monotonic()
        self.due = DueSites(declarations, services.store, self.running, self._config.run.concurrent_sites, now)
        self._over_budget: set[str] = set()
        self._reporting: Future[None] | None = None
        """The latest note in the database of declarations that cannot be used."""
        self._refused: tuple[float, StorageError] | None = None
        """The start (monotonic) of the database's refusals and the latest error; None once a write succeeds."""
        self._unstored: StorageError | None = None
        """The error of the latest crawl if it was ended because pages could not be stored."""

    def stop(self) -> None:
        """Makes `run` drain and return."""
        self._stopping.set()

    def reload(self) -> None:
        """Makes the next tick read the declarations again, even if no file changed."""
        self._reload = True

    async def run(self) -> bool:
        """Crawls until stopped. Returns False if crawls were left unfinished. Raises StorageError if the database
        cannot be read at the start and, with `once`, if it keeps refusing; otherwise a refusal is logged and tried
        again."""
        releasing = self.services.store.run(leases.release_dead, None, is_dead)
        released = await asyncio.wrap_future(releasing)
        of_sites = sorted(name for name in released if not name.startswith(leases.SERVICE))
        if of_sites:
            logger.info("taken over from a process that was killed: %s", ", ".join(of_sites))
        await self.due.find_new(list(self.declarations.sites))
        for site in self.declarations.sites:
            self.board.record(site)
        self._report_problems()
        await self._note_declarations()
        while not self._stopping.is_set():
            started = await self._tick_safely()
            is_through = self._once and not self.running and not started
            archive = self.services.archive
            is_given_up = is_through or (archive is not None and archive.has_given_up())  # only with `once`
            error = self._refusal(0.0 if is_through else ONCE_PATIENCE) or (self._unstored if is_given_up else None)
            if error is not None:
                await self._drain()
                raise error
            if is_through:
                break
            try:
                async with asyncio.timeout(self._config.run.poll_interval):
                    await self._stopping.wait()
            except TimeoutError:
                continue
        return await self._drain()

    async def _tick_safely(self) -> int:
        """Returns how many crawls were started. After an error of the database, it returns 1: more may be due, so
        `--once` does not end yet."""
        clock, before = time.process_time(), self.board.problem
        try:
            started = await self._tick()
        except StorageError as error:
            self.board.problem = str(error)
            if not before:
                logger.error("the fleet waits for its database: %s", error)  # noqa: TRY400  its one line says all
            self._note_refusal(error)
            return 1
        self.board.problem, self.board.last_tick = self._storage_problem(), self._now()
        if before and not self.board.problem:
            logger.info("the fleet continues: its database answers")
        self.board.tick_seconds = time.process_time() - clock
        return started

    def _storage_problem(self) -> str:
        """Returns why pages cannot be stored, until one is stored; "" if they can."""
        store, archive = self.services.store, self.services.archive
        return store.refused or (archive.refusals.problem if archive is not None else "")

    def _note_refusal(self, error: StorageError) -> None:
        self._refused = (self._refused[0] if self._refused else time.monotonic(), error)

    def _refusal(self, patience: float) -> StorageError | None:
        """Returns the database's error if `once` is set and it has refused for `patience` seconds, else None."""
        if not self._once or self._refused is None:
            return None
        since, error = self._refused
        return error if time.monotonic() - since >= patience else None

    async def _tick(self) -> int:
        """Reads what is due, decides and acts; returns how many crawls were started."""
        store = self.services.store
        if store.is_away or self._refused:  # reading may succeed where writing does not: a full disk, a standby
            await asyncio.wrap_future(store.run(probe))
            self._refused = None
        await self._check_files()
        self._retry_report()
        now = self._now()
        for crawl in self.running.values():
            self.board.count_articles(crawl.site, crawl.counters, now)
        await self._check_controls(now)
        rows = await asyncio.to_thread(self.due.read, now)
        began = {site: crawl.began for site, crawl in self.running.items()}
        decision = decide(rows, self.due.plans(now), began, now, fleet_policy(self._config))
        self._show(rows, decision)
        starts = decision.start
        if store.refused:  # one crawl tries whether a page can be stored again
            starts = starts[: 0 if self.running else 1]
        for start in starts:
            self._begin(start, now)
        for site in decision.stop:
            self.running[site].stop(TIME_LIMIT)
        return len(starts)

    async def _check_controls(self, now: datetime) -> None:
        """Applies what commands decided. A crawl whose site was paused, or whose budget was changed, is asked to end;
        the latter begins again with its new budget."""
        if time.monotonic() - self._controls_checked_at < CONTROL_SECONDS:
            return
        before = self.declarations.plans
        self.declarations.control(await asyncio.to_thread(self._controls), now)
        self._controls_checked_at = time.monotonic()
        for site, plan in self.declarations.plans.items():
            crawl = self.running.get(site)
            if crawl is not None and plan.paused:
                crawl.stop(PAUSED)
            elif crawl is not None and site in before and before[site].budget != plan.budget:
                crawl.stop(TIME_LIMIT)

    def _controls(self) -> dict[str, SiteControl]:
        with self.services.store.reading() as connection:
            return sites.controls(connection)

    def _begin(self, start: Start, now: datetime) -> None:
        site, config = self.declarations.sites[start.site], self._config
        by_fleet = FleetCrawl(
            start,
            site.spider,
            source_planner(config),
            compares=is_wanted(config),
            least_new=site.plan.least_new,
            next_crawl=site.plan.timetable.next_start(now, now),
        )
        crawl = SiteSession(self.services, start.site, now, by_fleet)
        self.board.begun(start.site, now)
        self.running[start.site] = crawl
        self.due.begun(start.site)
        crawl.task = asyncio.get_running_loop().create_task(self._crawl(crawl))

    async def _crawl(self, crawl: SiteSession) -> None:
        record = self.board.record(crawl.site)
        try:
            await crawl.crawl(self.process)
        except SiteLeased as leased:
            record.state, record.problem = "leased_elsewhere", str(leased)
            self._put_off(crawl.site, leased.until, "leased_elsewhere")
        except StorageError as error:
            record.failed_crawls += 1
            record.state, record.problem = "idle", str(error)
            self._note_refusal(error)
        # Any error of an operator's spider, or a defect of newscrawl, affects this site only; the others continue.
        except Exception as failure:
            told = missing_name(failure) if isinstance(failure, (ImportError, NameError)) else None
            cause: Exception = told or failure
            record.failed_crawls += 1
            record.problem = " ".join(f"{type(cause).__name__}: {cause}".split())[:300]
            if isinstance(cause, NewscrawlError):
                logger.error("%s cannot be crawled: %s", crawl.site, cause, extra=about(crawl.site))  # noqa: TRY400  its one line says all
            else:
                logger.exception("%s cannot be crawled", crawl.site, extra=about(crawl.site))
            self._put_off(crawl.site, self._now() + BROKEN_FOR, "broken")
        else:
            self._finished(crawl)
        finally:
            del self.running[crawl.site]
            crawl.crawler = None

    def _finished(self, crawl: SiteSession) -> None:
        now, record = self._now(), self.board.record(crawl.site)
        summary = self.board.finished(crawl.site, crawl.counters, now)
        record.state, record.problem = "idle", ""
        reason = crawl.finish_reason
        if reason == STORAGE_FAILED:
            self._unstored = StorageError(
                f"the crawl of {crawl.site} was ended: pages were refused (see the log above)"
            )
            self._note_refusal(self._unstored)
        else:
            self._refused = self._unstored = None
        ended = f" ({reason})" if reason not in {"", "finished"} else ""
        logger.info("%s%s", one_line(summary), ended, extra=about(crawl.site))
        for domain in crawl.fleet.spider.domains if crawl.fleet is not None else ():
            until = self.services.throttle.resting_until(host_key(domain))
            if until is not None:
                self._put_off(crawl.site, until, "resting")

    def _put_off(self, site: str, until: datetime, state: str) -> None:
        self.due.put_off(site, until)
        self.board.record(site).state = state

    def _show(self, rows: list[SiteDue], decision: Decision) -> None:
        for record in self.board.records.values():
            record.due = 0
            is_put_off = self.due.is_put_off(record.site) or record.site in self.board.broken
            if record.state not in {"crawling", "idle"} and not is_put_off:
                record.state = "idle"
        for row in rows:
            new = row.found if has_new(row, self.declarations.plan(row.site)) else 0
            self.board.record(row.site).due = row.sources + row.pages + new
        over_budget = set(decision.over_budget)
        for site in over_budget:
            self.board.record(site).state = "budget_reached"
        for site in over_budget - self._over_budget:
            logger.info("%s: today's request budget is used up", site, extra=about(site))
            self.services.store.run(sites.note_over_budget, site)
        self._over_budget = over_budget

    async def _check_files(self) -> None:
        forced, self._reload = self._reload, False
        if not forced and time.monotonic() - self._files_checked_at < RELOAD_SECONDS:
            return
        self._files_checked_at = time.monotonic()
        if not forced and not await asyncio.to_thread(self.declarations.changed):
            return
        for site in self.declarations.reload():
            logger.info("declaration read again: %s", site, extra=about(site))
            self.due.file_changed(site)
            self.board.record(site)
        await self._note_declarations()
        self.board.keep_only([*self.declarations.sites, *self.declarations.problems])
        self._report_problems()
        self.due.declarations_changed()
        unknown = [site for site in self.declarations.sites if site not in self.running]
        try:
            await self.due.find_new(unknown)
        except StorageError:
            self._reload = True  # whether a site is new is checked again
            raise

    def _report_problems(self) -> None:
        """Reports the files and declarations that cannot be used now."""
        problems = self.declarations.problems
        self.board.show_broken(problems)
        if self.declarations.is_complete:  # otherwise it would close the alarms of a process that crawls all sites
            store = self.services.store
            self._reporting = store.run(alarms.replace_open, DECLARATION, "critical", problems, self._now())

    def _retry_report(self) -> None:
        """Reports the problems again if the database refused the latest report."""
        reporting = self._reporting
        if reporting is not None and reporting.done() and reporting.exception() is not None:
            self._report_problems()

    async def _note_declarations(self) -> None:
        """Stores which sites are declared, because their pages are shown first in stories."""
        known = self.declarations
        every = known.is_complete and not known.problems  # a site that cannot be read now is still declared
        noting = self.services.store.run(sites.note_declared, known.republishing, all_of_them=every)
        await asyncio.wrap_future(noting)

    async def _drain(self) -> bool:
        """Lets the crawls finish requests in progress. Returns whether all crawls ended."""
        tasks = [crawl.task for crawl in self.running.values() if crawl.task is not None]
        for crawl in list(self.running.values()):
            crawl.stop(DRAINED)
        if not tasks:
            return True
        logger.info("stopping: %s to finish requests in progress", counted(len(tasks), "crawl"))
        _, unfinished = await asyncio.wait(tasks, timeout=self._config.run.drain_timeout)
        return not unfinished


def fleet_policy(config: Config) -> FleetPolicy:
    """Returns what the settings say about all sites."""
    usual, scale, wanted = FleetPolicy(), config.scheduling.time_scale, config.run
    return FleetPolicy(
        places=wanted.concurrent_sites,
        min_interval=timedelta(seconds=wanted.min_site_interval),
        max_crawl=timedelta(seconds=wanted.max_crawl_seconds),
        max_wait=usual.max_wait / scale,
        leftovers=usual.leftovers / scale,
    )
