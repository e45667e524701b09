"""The loop of `newscrawl run`: every few seconds it reads which sites are due, starts crawls and asks others to end.

Sites are due by what the database has, by their timetables, or because they were never crawled.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final

from scrapy.crawler import AsyncCrawlerProcess

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.intervals import source_planner
from newscrawl.config.logs.lines import about
from newscrawl.config.scrapy_cfg import missing_name
from newscrawl.crawling.downloader.throttle import host_key
from newscrawl.crawling.fleet.board import Board
from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.crawling.runtime.crawl_services import CrawlServices
from newscrawl.crawling.runtime.progress import one_line
from newscrawl.crawling.runtime.site_session import DRAINED, PAUSED, TIME_LIMIT, FleetCrawl, SiteSession
from newscrawl.crawling.runtime.summary import STORAGE_FAILED
from newscrawl.crawling.scheduling.site_selection import Decision, FleetPolicy, SitePlan, Start, decide, has_new
from newscrawl.crawling.scheduling.site_state import SiteControl, SiteDue
from newscrawl.errors import NewscrawlError, SiteLeased, StorageError
from newscrawl.model.wording import counted
from newscrawl.monitoring.watchdog import is_wanted
from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.store import Store
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


class DueSites:
    """The sites that have something due, and those that are not to be tried now. `running` are the sites with a crawl;
    the fleet changes it. `places` is the number of crawls at once."""

    def __init__(
        self,
        declarations: Declarations,
        store: Store,
        running: Collection[str],
        places: int,
        now: Callable[[], datetime],
    ) -> None:
        self._declarations = declarations
        self._store = store
        self._running = running
        self._places = places
        self._now = now
        self._new: dict[str, datetime] = {}
        """Sites whose first crawl has not ended yet, with the time this process learned of them."""
        self._not_before: dict[str, datetime] = {}
        """Sites that are not tried before this time, because a crawl failed, a host rests, or another process has
        them."""
        self._next_start: dict[str, datetime] = {}
        """The next starts by the timetables of sites."""
        self._undeclared: set[str] = set()
        """Sites with something due that this fleet does not crawl."""

    @property
    def new(self) -> Collection[str]:
        """The sites whose first crawl has not ended yet."""
        return self._new.keys()

    async def find_new(self, names: list[str]) -> None:
        """Reads which of the sites were never crawled. All others are no longer new. Raises StorageError."""
        new = await asyncio.to_thread(self.never_crawled, names)
        self._new = {site: self._new.get(site, self._now()) for site in new}

    def never_crawled(self, names: list[str]) -> list[str]:
        """Returns those of the sites whose first crawl has not ended. Blocks."""
        with self._store.reading() as connection:
            known = sites.history(connection, names, self._now())
        return [row.site for row in known if row.last_finished is None]

    def read(self, now: datetime) -> list[SiteDue]:
        """Returns what is due, and sites that are due by their own timetable or were never crawled. Blocks. Raises
        StorageError."""
        declared = self._declarations.sites
        with self._store.reading() as connection:
            rows = sites.due(connection, now, leave_out=self._undeclared)
            self._undeclared |= {row.site for row in rows} - declared.keys()
            rows = [row for row in rows if row.site in declared]
            further = self._new_or_by_timetable(now) - {row.site for row in rows}
            if further:
                rows += sites.history(connection, further, now)
        rows = [replace(row, overdue_since=self._new.get(row.site, row.overdue_since)) for row in rows]
        for row in rows:
            timetable = declared[row.site].plan.timetable
            if row.last_finished is not None:
                self._new.pop(row.site, None)
            if timetable.is_fixed and row.site not in self._running:
                due = timetable.next_start(row.last_started, now)
                if due is not None:
                    self._next_start[row.site] = due
        return rows

    def _new_or_by_timetable(self, now: datetime) -> set[str]:
        """Returns sites that may be due although nothing of theirs in the database is."""
        ready = (site for site in self._new if self._may_begin(site, now))
        new = list(islice(ready, 4 * self._places))
        by_timetable = [
            name
            for name, site in self._declarations.sites.items()
            if site.plan.timetable.is_fixed and self._next_start.get(name, now) <= now
        ]
        return {site for site in (*new, *by_timetable) if site not in self._running}

    def _may_begin(self, site: str, now: datetime) -> bool:
        declared = self._declarations.sites.get(site)
        if declared is None or site in self._running or site in self._not_before:
            return False
        return not self._declarations.plan(site).paused and not declared.plan.timetable.is_quiet(now)

    def plans(self, now: datetime) -> dict[str, SitePlan]:
        """Returns the plans of all sites; sites that are not to be tried now are paused in them."""
        self._not_before = {site: until for site, until in self._not_before.items() if until > now}
        plans = self._declarations.plans
        for site in self._not_before.keys() & plans.keys():
            plans[site] = replace(plans[site], paused=True)
        return plans

    def next_due(self) -> dict[str, datetime]:
        """Returns when each site is due next. Blocks. Raises StorageError."""
        declared = self._declarations.sites
        with self._store.reading() as connection:
            next_due = sites.next_due(connection, declared)
        return next_due | {site: due for site, due in self._next_start.items() if site in declared}

    def begun(self, site: str) -> None:
        """Notes that a crawl of the site begins."""
        if site in self._new:  # until its first crawl has ended, but after the others
            self._new[site] = self._new.pop(site)
        self._next_start.pop(site, None)

    def put_off(self, site: str, until: datetime) -> None:
        """Keeps the site from being tried before this time."""
        self._not_before[site] = until

    def is_put_off(self, site: str) -> bool:
        """Returns whether the site is not to be tried now."""
        return site in self._not_before

    def file_changed(self, site: str) -> None:
        """Notes that the site's declaration was read again: it may be tried at once."""
        self._not_before.pop(site, None)
        self._next_start.pop(site, None)

    def declarations_changed(self) -> None:
        """Notes that sites may have been declared which were not before."""
        self._undeclared -= self._declarations.sites.keys()
