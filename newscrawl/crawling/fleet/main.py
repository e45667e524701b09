"""The process of `newscrawl run`: opens what its crawls share, answers signals, and closes everything in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import database_of
from newscrawl.config.logs.lines import print_line
from newscrawl.config.reading import config_of, value_of
from newscrawl.crawling.fleet import table
from newscrawl.crawling.fleet.board import BROKEN, Board, check_port, serve
from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.crawling.fleet.fleet import Fleet
from newscrawl.crawling.monitoring.watchdog import delivering, watched
from newscrawl.crawling.runtime.crawl_services import CrawlServices, favour_loop, pool_of
from newscrawl.crawling.runtime.database_upkeep import FurtherUpkeep, running_upkeep
from newscrawl.crawling.runtime.log_setup import set_up_log
from newscrawl.crawling.runtime.process import leave_at_once, make_process, run_reactor
from newscrawl.crawling.runtime.setting_checks import check_settings
from newscrawl.crawling.runtime.site_lease import DELIVERIES, UPKEEP, FleetService
from newscrawl.errors import TEMPORARY, DatabaseUpgraded, StorageError, UsageError
from newscrawl.model.wording import counted
from newscrawl.publishing.deliver.sender import Sender
from newscrawl.storage.engine.errors import RetryPolicy, end_soon
from newscrawl.storage.machines import RunLock
from newscrawl.storage.store import Store
from newscrawl.workers.extraction_pool import ExtractionPool

logger = logging.getLogger(__name__)

OUR_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
OUTAGE_PATIENCE: Final = RetryPolicy(attempts=13)
"""About 30 seconds without new requests. After a restart of the database no page is fetched twice."""
FIRST_PAUSE: Final = 1.0
MAX_PAUSE: Final = 30.0
"""Seconds between two attempts; they double."""
LOG_EVERY: Final = 60.0
"""Seconds between two log lines."""
DELIVER_EVERY: Final = 5.0
"""Seconds between two looks for changes and for what is due to be sent."""


QUIET: Final[dict[str, Any]] = {
    "NEWSCRAWL_PROGRESS": False,
    "LOGSTATS_INTERVAL": 0,
    "STATS_DUMP": False,
    "LOG_VERSIONS": [],
}
INTERRUPT: Final = "newscrawl.crawling.runtime.interrupt.Interrupt"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the command line. `interval` is in seconds."""

    sites: Sequence[str] = ()
    once: bool = False
    interval: float | None = None
    health: int | None = None
    further_upkeep: Callable[[Store], FurtherUpkeep] | None = None
    """The further work of the database's upkeep, given by the command."""


def run_fleet(settings: Settings, options: RunOptions) -> int:
    """Crawls until SIGTERM or SIGINT, or, with `once`, until nothing is due. Returns the exit code. Raises
    NewscrawlError if the fleet cannot start. May be called once a process."""
    fleet_settings(settings)
    set_up_log(settings)
    check_settings(settings)
    config = config_of(settings)
    with RunLock(database_of(config)):
        return _run_alone(settings, config, options)


def fleet_settings(settings: Settings) -> None:
    """Sets what differs when crawls share a process: no crawl handles signals or draws on the terminal, and the longest
    wait for a host is shorter, unless a site's `custom_settings` say otherwise."""
    extensions = {**settings.getdict("EXTENSIONS"), INTERRUPT: None}
    settings.setdict({**QUIET, "EXTENSIONS": extensions}, priority="cmdline")
    settings.set("NEWSCRAWL_MAX_HOST_WAIT", value_of(settings, "NEWSCRAWL_RUN_MAX_HOST_WAIT"), priority="project")


def _run_alone(settings: Settings, config: Config, options: RunOptions) -> int:
    if options.health is not None:
        check_port(options.health)
    declarations = Declarations(settings, options.sites, options.interval)
    if options.once and declarations.problems and not declarations.sites:
        raise UsageError(next(iter(declarations.problems.values())))  # there is nothing to wait with
    # Without the sites, which are read by `declarations`, so that a problem of a file is logged once.
    process = make_process({"SPIDER_MODULES": []}, settings=settings.copy())
    logging.getLogger("scrapy").setLevel(logging.WARNING)  # its lines for each of thousands of crawls are left out
    run = _Run(config, options, declarations, process, pool_of(config))
    asyncio.get_event_loop().create_task(run.main())
    run_reactor(process, stop_after_crawl=False, install_signal_handlers=False)
    if run.error is not None:
        raise run.error
    return run.exit_code()


async def _opened(make: Callable[[], CrawlServices], board: Board, stopping: asyncio.Event) -> CrawlServices | None:
    """Returns what `make` opens once its database answers; None if `stopping` was set before.

    Raises a StorageError that is not temporary, and WrongClock. The board shows what the process waits for.
    """
    pause, logged_at = FIRST_PAUSE, float("-inf")
    while not stopping.is_set():
        try:
            services = await asyncio.to_thread(make)
        except StorageError as error:
            if error.exit_code != TEMPORARY:
                raise
            board.problem = f"waiting for the database: {error}"
            if time.monotonic() - logged_at >= LOG_EVERY:
                logged_at = time.monotonic()
                logger.warning("%s", board.problem)
        else:
            if board.problem:
                logger.info("the database answers")
            board.problem = ""
            return services
        try:
            async with asyncio.timeout(pause):
                await stopping.wait()
        except TimeoutError:
            pause = min(2 * pause, MAX_PAUSE)
    return None


@dataclass(slots=True)
class _Run:
    """The process, from its first signal handler to the end of its reactor."""

    config: Config
    options: RunOptions
    declarations: Declarations
    process: AsyncCrawlerProcess
    pool: ExtractionPool
    board: Board = field(default_factory=Board)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    services: CrawlServices | None = None
    fleet: Fleet | None = None
    drained: bool = True
    signal: int = 0
    """The number of the first SIGTERM or SIGINT; 0: none."""
    error: BaseException | None = None

    async def main(self) -> None:
        """Opens the services, crawls, and closes them; an error is kept in `error`."""
        loop = asyncio.get_running_loop()
        try:
            favour_loop()
            _answer_signals(self._interrupt, self._reload)
            self.board.show_broken(self.declarations.problems)
            async with _health(self.board, self._running, self.options.health):
                self.services = await self._open()
                if self.services is not None:
                    await self._crawl(self.services)
        except BaseException as error:  # noqa: BLE001  raised again where the command reports it
            self.error = error
        finally:
            opened = self.services or self.pool
            await asyncio.to_thread(opened.close)
            if not self.drained:  # crawls that hang would keep the reactor from stopping; their pages stay due
                leave_at_once(self.exit_code())
            loop.call_soon(_stop_reactor)

    def exit_code(self) -> int:
        """Returns 0; for `once` 128 plus the number of the signal that ended it, because due sites were left out, or 1
        if a site could not be crawled."""
        if self.options.once and self.signal:
            return 128 + self.signal
        return int(self.options.once and any(record.state == BROKEN for record in self.board.records.values()))

    async def _open(self) -> CrawlServices | None:
        make = partial(
            CrawlServices.open,
            self.config,
            self.pool,
            request_seconds=self.process.settings.getfloat("DOWNLOAD_TIMEOUT"),
            lease=timedelta(seconds=self.config.run.lease_seconds),
            patience=OUTAGE_PATIENCE,
            goes_on=lambda: not self.stopping.is_set(),
        )
        if self.options.once:
            return await asyncio.to_thread(make)
        services = await _opened(make, self.board, self.stopping)
        if services is not None and services.archive is not None:
            services.archive.patience = float("inf")  # a page waits as long as its disk is full
        return services

    async def _crawl(self, services: CrawlServices) -> None:
        config, sites, store = self.config, self.declarations, services.store
        fleet = self.fleet = Fleet(sites, services, self.process, self.board, once=self.options.once)
        if self.stopping.is_set():
            return
        logger.info("%s, at most %d at once", counted(len(sites.sites), "site"), config.run.concurrent_sites)
        sender = Sender.of(store, config, lambda: datetime.now(UTC))
        self.board.deliveries = sender.alarms
        plans = lambda: sites.plans  # noqa: E731
        attended = services.attended("run", self._outdated, self.board.show_gone)
        watching = watched(store, store.notes, config, plans, sites.asleep, show=self.board.show_alarms)
        upkeep, deliveries = FleetService(store.notes, UPKEEP), FleetService(store.notes, DELIVERIES)
        further = self.options.further_upkeep and self.options.further_upkeep(store)
        upkeeping = running_upkeep(store, config, is_ours=upkeep.is_ours, further=further)
        sending = delivering(store, config, sender, deliveries.is_ours, DELIVER_EVERY, finish=self.options.once)
        async with (
            attended,
            _shown(fleet),
            sending,
            watching,
            upkeeping,
        ):  # the last check comes before the last delivery
            self.drained = await fleet.run()
        _show_end(self.board)
        await deliveries.close()
        await upkeep.close()
        await services.settle()

    def _running(self) -> int:
        return len(self.fleet.running) if self.fleet is not None else 0

    def _outdated(self, message: str) -> None:
        self.error = DatabaseUpgraded(message)
        self._stop()

    def _interrupt(self, number: int) -> None:
        self.signal = number
        end_soon()
        self._stop()

    def _stop(self) -> None:
        self.stopping.set()
        if self.fleet is not None:
            self.fleet.stop()

    def _reload(self) -> None:
        if self.fleet is not None:
            self.fleet.reload()


@asynccontextmanager
async def _health(board: Board, running: Callable[[], int], port: int | None) -> AsyncIterator[None]:
    """Serves health and metrics if a port is given, also while the process waits for the database."""
    server = await serve(board, running, port) if port is not None else None
    try:
        yield
    finally:
        if server is not None:
            server.close()
            await server.wait_closed()


@asynccontextmanager
async def _shown(fleet: Fleet) -> AsyncIterator[None]:
    """Shows the live table if there is a terminal."""
    loop = asyncio.get_running_loop()
    shown = (table.show(fleet), table.keep_next_due(fleet)) if table.is_terminal() else ()
    tasks = [loop.create_task(part) for part in shown]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _show_end(board: Board) -> None:
    """Shows a summary of the run, in place of the live table or in the log."""
    crawled = [record for record in board.records.values() if record.crawls]

    def total(name: str) -> int:
        return sum(getattr(record, name) for record in crawled)

    summary = (
        f"{counted(total('crawls'), 'crawl')} of {counted(len(crawled), 'site')}, "
        f"{counted(total('requests'), 'request')}, {counted(total('articles'), 'article')}, "
        f"{counted(total('new_versions'), 'new version')}, {counted(total('failures'), 'failure')}"
    )
    if table.is_terminal():
        print(summary, file=sys.stderr, flush=True)
    else:
        logger.info("%s", summary)


def _answer_signals(end: Callable[[int], None], reload: Callable[[], None]) -> None:
    """Handles signals: the first SIGTERM or SIGINT drains, the second ends the process at once; SIGHUP reloads."""
    loop = asyncio.get_running_loop()
    received: list[int] = []

    def stop(number: int) -> None:
        if received:
            print_line("newscrawl: stopped at once; the next start repeats the requests in progress", logging.WARNING)
            leave_at_once(128 + number)
        received.append(number)
        end(number)  # before the line, which may not be written
        print_line("newscrawl: stopping; send the signal again to stop at once", logging.INFO)

    for number in OUR_SIGNALS:
        loop.add_signal_handler(number, stop, number)
    loop.add_signal_handler(signal.SIGHUP, reload)


def _stop_reactor() -> None:
    from twisted.internet import reactor

    with contextlib.suppress(RuntimeError):  # it stops already
        reactor.stop()  # type: ignore[misc]
