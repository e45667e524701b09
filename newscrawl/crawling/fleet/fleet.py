"""The loop of `newscrawl run`: every few seconds it reads which sites are due, starts crawls and asks others to end."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final

from newscrawl.crawling.downloader.host_throttle import host_key
from newscrawl.crawling.fleet.board import Board
from newscrawl.crawling.fleet.crawl import DRAINED, TIME_LIMIT, Crawling, SiteCrawl
from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.crawling.fleet.problems import Problems
from newscrawl.crawling.monitoring.control_watch import PAUSED
from newscrawl.crawling.runtime.progress import one_line
from newscrawl.crawling.runtime.summary import STORAGE_FAILED
from newscrawl.errors import NewscrawlError, SiteLeased, SpiderExit, StorageError
from newscrawl.logs.json_lines import about
from newscrawl.processes.process_names import is_dead
from newscrawl.scheduling.site_control import SiteControl
from newscrawl.scheduling.site_selection import Decision, FleetPolicy, SitePlan, Start, decide, has_new
from newscrawl.scheduling.site_state import SiteDue
from newscrawl.storage.crawls import site_controls
from newscrawl.storage.duplicates import declared_sites
from newscrawl.storage.engine.probe import probe
from newscrawl.storage.frontier import leases, sites
from newscrawl.wording import counted

logger = logging.getLogger(__name__)

SHOW_SECONDS: Final = 15.0
"""Seconds between two updates of the times when sites are due next, which are shown to people."""
CONTROL_SECONDS: Final = 5.0
"""Seconds between two reads of what commands decided about sites (the table `site_controls`)."""
RELOAD_SECONDS: Final = 5.0
"""Seconds between two checks of whether files of the declarations changed."""
BROKEN_FOR: Final = timedelta(minutes=15)
"""A site whose crawl could not be started is not tried again for this long, or until its file changes."""
ONCE_PATIENCE: Final = 60.0
"""Seconds for which `run --once` retries a database that refuses. It is limited because the caller waits for the
end."""


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """Options of the fleet. `tick` and `drain` are in seconds; `once` ends it when nothing is due any more."""

    policy: FleetPolicy = field(default_factory=FleetPolicy)
    tick: float = 2.0
    drain: float = 22.0
    once: bool = False


class Fleet:
    """All crawls of a process. `run` returns when it was stopped, or, with `once`, when nothing is due any more."""

    def __init__(
        self,
        declarations: Declarations,
        crawling: Crawling,
        board: Board,
        options: FleetOptions = FleetOptions(),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.declarations = declarations
        self.crawling = crawling
        self.board = board
        self.options = options
        self.running: dict[str, SiteCrawl] = {}
        self._now = now
        self._stopping = asyncio.Event()
        self._reload = False
        self._controls_checked_at = float("-inf")
        self._files_checked_at = time.monotonic()
        self._new: dict[str, datetime] = {}
        """Sites whose first crawl has not ended yet, with the time this process learned of them."""
        self._left_alone: dict[str, tuple[datetime, str]] = {}
        self._next_start: dict[str, datetime] = {}
        self._over_budget: set[str] = set()
        self.problems = Problems(declarations, board, crawling.shared.store, now)
        self._foreign: set[str] = set()
        """Sites with something due that this fleet does not crawl."""
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
        releasing = self.crawling.shared.store.run(leases.release_dead, None, is_dead)
        released = await asyncio.wrap_future(releasing)
        of_sites = sorted(name for name in released if not name.startswith(leases.SERVICE))
        if of_sites:
            logger.info("taken over from a process that was killed: %s", ", ".join(of_sites))
        self._new = dict.fromkeys(
            await asyncio.to_thread(self._never_crawled, list(self.declarations.sites)), self._now()
        )
        for site in self.declarations.sites:
            self.board.record(site)
        self.problems.report()
        await self._note_declarations()
        while not self._stopping.is_set():
            started = await self._tick_safely()
            is_through = self.options.once and not self.running and not started
            error = self._refusal(0.0 if is_through else ONCE_PATIENCE) or (self._unstored if is_through else None)
            if error is not None:
                await self._drain()
                raise error
            if is_through:
                break
            try:
                async with asyncio.timeout(self.options.tick):
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
        if before:
            logger.info("the fleet continues: its database answers")
        self.board.problem, self.board.last_tick = "", self._now()
        self.board.tick_seconds = time.process_time() - clock
        return started

    def _note_refusal(self, error: StorageError) -> None:
        self._refused = (self._refused[0] if self._refused else time.monotonic(), error)

    def _refusal(self, patience: float) -> StorageError | None:
        """Returns the database's error if `once` is set and it has refused for `patience` seconds, else None."""
        if not self.options.once or self._refused is None:
            return None
        since, error = self._refused
        return error if time.monotonic() - since >= patience else None

    async def _tick(self) -> int:
        """Reads what is due, decides and acts; returns how many crawls were started."""
        store = self.crawling.shared.store
        if store.is_away or self._refused:  # reading may succeed where writing does not: a full disk, a standby
            await asyncio.wrap_future(store.run(probe))
            self._refused = None
        await self._check_files()
        self.problems.retry_report()
        now = self._now()
        await self._check_controls(now)
        rows = await asyncio.to_thread(self._rows, now)
        began = {site: crawl.began for site, crawl in self.running.items()}
        decision = decide(rows, self._plans(now), began, now, self.options.policy)
        self._show(rows, decision)
        for start in decision.start:
            self._begin(start, now)
        for site in decision.stop:
            self.running[site].stop(TIME_LIMIT)
        return len(decision.start)

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
        with self.crawling.shared.store.reading() as connection:
            return site_controls.load(connection)

    def _plans(self, now: datetime) -> dict[str, SitePlan]:
        """Returns the plans; sites that are not to be tried now are paused in them."""
        self._left_alone = {site: until for site, until in self._left_alone.items() if until[0] > now}
        plans = self.declarations.plans
        for site in self._left_alone.keys() & plans.keys():
            plans[site] = replace(plans[site], paused=True)
        return plans

    def _rows(self, now: datetime) -> list[SiteDue]:
        """Returns what is due, and sites that are due by their own timetable or were never crawled. Runs in a
        thread."""
        with self.crawling.shared.store.reading() as connection:
            rows = sites.due(connection, now, leave_out=self._foreign)
            self._foreign |= {row.site for row in rows} - self.declarations.sites.keys()
            rows = [row for row in rows if row.site in self.declarations.sites]
            also = self._also(now) - {row.site for row in rows}
            if also:
                rows += sites.history(connection, also, now)
        rows = [replace(row, overdue_since=self._new.get(row.site, row.overdue_since)) for row in rows]
        for row in rows:
            table = self.declarations.sites[row.site].plan.timetable
            if row.last_finished is not None:
                self._new.pop(row.site, None)
            if table.is_fixed and row.site not in self.running:
                due = table.next_start(row.last_started, now)
                if due is not None:
                    self._next_start[row.site] = due
        return rows

    def _also(self, now: datetime) -> set[str]:
        places = self.options.policy.places
        ready = (site for site in self._new if self._may_begin(site, now))
        new = list(islice(ready, 4 * places))
        fixed = [
            name
            for name, site in self.declarations.sites.items()
            if site.plan.timetable.is_fixed and self._next_start.get(name, now) <= now
        ]
        return {site for site in (*new, *fixed) if site not in self.running}

    def _may_begin(self, site: str, now: datetime) -> bool:
        declared = self.declarations.sites.get(site)
        if declared is None or site in self.running or site in self._left_alone:
            return False
        return not self.declarations.plan(site).paused and not declared.plan.timetable.is_quiet(now)

    def _never_crawled(self, names: list[str]) -> list[str]:
        with self.crawling.shared.store.reading() as connection:
            known = sites.history(connection, names, self._now())
        return [row.site for row in known if row.last_finished is None]

    def _begin(self, start: Start, now: datetime) -> None:
        crawl = SiteCrawl(start, self.declarations.sites[start.site].spider, now)
        record = self.board.record(start.site)
        record.state, record.last_started = "crawling", now
        self.running[start.site] = crawl
        if start.site in self._new:  # until its first crawl has ended, but after the others
            self._new[start.site] = self._new.pop(start.site)
        self._next_start.pop(start.site, None)
        crawl.task = asyncio.get_running_loop().create_task(self._crawl(crawl))

    async def _crawl(self, crawl: SiteCrawl) -> None:
        record = self.board.record(crawl.site)
        try:
            await self.crawling.crawl(crawl)
        except SiteLeased as leased:
            record.state, record.problem = "leased_elsewhere", str(leased)
            self._leave(crawl.site, leased.until, "leased_elsewhere")
        except StorageError as error:
            record.failed_crawls += 1
            record.state, record.problem = "idle", str(error)
            self._note_refusal(error)
        # Any error of an operator's spider, or a defect of newscrawl, affects this site only; the others continue.
        except Exception as error:
            record.failed_crawls += 1
            record.problem = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            if isinstance(error, NewscrawlError):
                logger.error("%s cannot be crawled: %s", crawl.site, error, extra=about(crawl.site))  # noqa: TRY400  its one line says all
            else:
                logger.exception("%s cannot be crawled", crawl.site, extra=about(crawl.site))
            self._leave(crawl.site, self._now() + BROKEN_FOR, "broken")
            if isinstance(error, SpiderExit):
                self.problems.site_exited(crawl.site, error)
        else:
            self._finished(crawl)
        finally:
            del self.running[crawl.site]
            crawl.crawler = None

    def _finished(self, crawl: SiteCrawl) -> None:
        now, record = self._now(), self.board.record(crawl.site)
        summary = self.board.finished(crawl.site, crawl.counters, now)
        record.state, record.problem = "idle", ""
        self.problems.site_works(crawl.site)
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
        for domain in crawl.spider.domains:
            until = self.crawling.shared.throttle.resting_until(host_key(domain))
            if until is not None:
                self._leave(crawl.site, until, "resting")

    async def show_next_due(self) -> None:
        """Keeps the board's `next_due` up to date."""
        while True:
            try:
                next_due = await asyncio.to_thread(self._next_due)
            except StorageError:
                next_due = {}  # the tick logs the error
            for site, due in next_due.items():
                self.board.record(site).next_due = due
            await asyncio.sleep(SHOW_SECONDS)

    def _next_due(self) -> dict[str, datetime]:
        with self.crawling.shared.store.reading() as connection:
            next_due = sites.next_due(connection, self.declarations.sites)
        return next_due | {site: due for site, due in self._next_start.items() if site in self.declarations.sites}

    def _leave(self, site: str, until: datetime, state: str) -> None:
        self._left_alone[site] = (until, state)
        self.board.record(site).state = state

    def _show(self, rows: list[SiteDue], decision: Decision) -> None:
        for record in self.board.records.values():
            record.due = 0
            left_alone = record.site in self._left_alone or record.site in self.board.broken
            if record.state not in {"crawling", "idle"} and not left_alone:
                record.state = "idle"
        for row in rows:
            new = row.found if has_new(row, self.declarations.plan(row.site)) else 0
            self.board.record(row.site).due = row.sources + row.pages + new
        over_budget = set(decision.over_budget)
        for site in over_budget:
            self.board.record(site).state = "budget_reached"
        for site in over_budget - self._over_budget:
            logger.info("%s: today's request budget is used up", site, extra=about(site))
            self.crawling.shared.store.run(sites.note_over_budget, site)
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
            self._left_alone.pop(site, None)
            self.problems.file_changed(site)
            self._next_start.pop(site, None)
            self.board.record(site)
        await self._note_declarations()
        self.board.keep_only([*self.declarations.sites, *self.declarations.problems])
        self.problems.report()
        self._foreign -= self.declarations.sites.keys()
        unknown = [site for site in self.declarations.sites if site not in self.running]
        try:
            new = await asyncio.to_thread(self._never_crawled, unknown)
        except StorageError:
            self._reload = True  # whether a site is new is checked again
            raise
        self._new = {site: self._new.get(site, self._now()) for site in new}

    async def _note_declarations(self) -> None:
        """Stores which sites are declared, because their pages are shown first in stories."""
        known = self.declarations
        every = known.is_complete and not known.problems  # a site that cannot be read now is still declared
        noting = self.crawling.shared.store.run(declared_sites.record, known.republishing, all_of_them=every)
        await asyncio.wrap_future(noting)

    async def _drain(self) -> bool:
        """Lets the crawls finish requests in progress. Returns whether all crawls ended."""
        tasks = [crawl.task for crawl in self.running.values() if crawl.task is not None]
        for crawl in list(self.running.values()):
            crawl.stop(DRAINED)
        if not tasks:
            return True
        logger.info("stopping: %s to finish requests in progress", counted(len(tasks), "crawl"))
        _, unfinished = await asyncio.wait(tasks, timeout=self.options.drain)
        return not unfinished
