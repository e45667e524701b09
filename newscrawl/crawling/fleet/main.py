"""The process of `newscrawl run`: opens what its crawls share, answers signals, and closes everything in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from scrapy.settings import Settings

from newscrawl.crawling.archiving import keeper_of
from newscrawl.crawling.check_settings import check_settings
from newscrawl.crawling.downloader import policy_of
from newscrawl.crawling.fleet import health, table
from newscrawl.crawling.fleet.board import Board
from newscrawl.crawling.fleet.crawl import Crawling
from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.crawling.fleet.fleet import Fleet, FleetOptions
from newscrawl.crawling.host_memory import StoredHosts
from newscrawl.crawling.lease import this_process
from newscrawl.crawling.ledger import Ledger
from newscrawl.crawling.pace import source_planner
from newscrawl.crawling.politeness import Turnstiles
from newscrawl.crawling.process import make_process
from newscrawl.crawling.prompt import be_prompt
from newscrawl.crawling.robots_memory import StoredRobots
from newscrawl.crawling.services import pool_of, store_of
from newscrawl.crawling.shared import Shared
from newscrawl.crawling.upkeep import kept_up
from newscrawl.crawling.watchdog import watched
from newscrawl.scheduling.fleet import FleetPolicy

logger = logging.getLogger(__name__)

QUIET: Final[dict[str, Any]] = {
    "NEWSCRAWL_PROGRESS": False,
    "LOGSTATS_INTERVAL": 0,
    "STATS_DUMP": False,
    "LOG_VERSIONS": [],
}
OUR_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
INTERRUPT: Final = "newscrawl.crawling.interrupt.Interrupt"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line says. `interval` is in seconds."""

    sites: Sequence[str] = ()
    once: bool = False
    interval: float | None = None
    health: int | None = None


def run_fleet(settings: Settings, options: RunOptions) -> int:
    """Crawl until SIGTERM or SIGINT, or, with `once`, until nothing is due. Returns the exit code; raises
    NewscrawlError for what keeps the fleet from starting. Can be called once a process."""
    settings.setdict(_of_run(settings), priority="cmdline")
    check_settings(settings)
    if options.health is not None:
        health.check_port(options.health)
    declarations = Declarations(settings, options.sites, options.interval)
    # Without sites of its own: those are read by `declarations`, which says once what is wrong with a file.
    process = make_process({"SPIDER_MODULES": []}, settings=settings.copy())
    logging.getLogger("scrapy").setLevel(logging.WARNING)  # what it says of each of thousands of crawls
    pool = pool_of(settings)
    try:
        store = store_of(settings)
    except BaseException:
        pool.close()
        raise
    archive = keeper_of(settings, store)
    outcome = _Outcome()

    async def main() -> None:
        try:
            be_prompt()
            ledger = Ledger(store)
            turnstiles = Turnstiles(policy_of(settings), memory=StoredHosts(store, ledger))
            shared = Shared(store, pool, ledger, turnstiles, StoredRobots(store), archive=archive)
            lease = timedelta(seconds=settings.getfloat("NEWSCRAWL_RUN_LEASE"))
            crawling = Crawling(process, shared, this_process(), lease, source_planner(settings))
            fleet = Fleet(declarations, crawling, Board(), fleet_options(settings, once=options.once))
            _answer_signals(fleet)
            logger.info("%d sites, at most %d at once", len(declarations.sites), fleet.options.policy.places)
            sites = fleet.declarations
            watching = watched(store, settings, lambda: sites.plans, sites.asleep)
            async with _watched(fleet, options), watching, kept_up(store, settings):
                outcome.drained = await fleet.run()
            _tell_end(fleet.board)
            await ledger.close()
        except BaseException as error:  # noqa: BLE001  raised again where the command reports it
            outcome.error = error
        finally:
            await asyncio.to_thread(pool.close)
            if archive is not None:
                await asyncio.to_thread(archive.close)
            await asyncio.to_thread(store.close)
            if not outcome.drained:
                _leave_at_once(0)  # crawls that hang would keep the reactor from stopping; what they had stays due
            asyncio.get_running_loop().call_soon(_stop_reactor)

    asyncio.get_event_loop().create_task(main())
    process.start(stop_after_crawl=False, install_signal_handlers=False)
    if outcome.error is not None:
        raise outcome.error
    return 0


@asynccontextmanager
async def _watched(fleet: Fleet, options: RunOptions) -> AsyncIterator[None]:
    """Health and metrics where they are wanted, the live table where there is a terminal."""
    server = await health.serve(fleet, options.health) if options.health is not None else None
    loop = asyncio.get_running_loop()
    tasks = (
        [loop.create_task(table.show(fleet)), loop.create_task(fleet.show_next_due())] if table.is_terminal() else []
    )
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if server is not None:
            server.close()
            await server.wait_closed()


@dataclass(slots=True)
class _Outcome:
    drained: bool = True
    error: BaseException | None = None


def _tell_end(board: Board) -> None:
    """What the run came to: where the live table was, or in the log."""
    crawled = [record for record in board.records.values() if record.crawls]

    def total(name: str) -> int:
        return sum(getattr(record, name) for record in crawled)

    told = (
        f"{total('crawls')} crawls of {len(crawled)} sites, {total('requests')} requests, "
        f"{total('articles')} articles, {total('new_versions')} new versions, {total('failures')} failures"
    )
    if table.is_terminal():
        print(told, file=sys.stderr, flush=True)
    else:
        logger.info("%s", told)


def fleet_options(settings: Settings, *, once: bool = False) -> FleetOptions:
    """How the settings want the fleet to go on."""
    usual, scale = FleetPolicy(), settings.getfloat("NEWSCRAWL_TIME_SCALE")
    return FleetOptions(
        FleetPolicy(
            places=settings.getint("NEWSCRAWL_RUN_CONCURRENT_SITES"),
            rest=timedelta(seconds=settings.getfloat("NEWSCRAWL_RUN_REST")),
            turn=timedelta(seconds=settings.getfloat("NEWSCRAWL_RUN_TURN")),
            starving=usual.starving / scale,
            leftovers=usual.leftovers / scale,
        ),
        tick=settings.getfloat("NEWSCRAWL_RUN_TICK"),
        drain=settings.getfloat("NEWSCRAWL_RUN_DRAIN"),
        once=once,
    )


def _of_run(settings: Settings) -> dict[str, Any]:
    """What is different when crawls share a process: no crawl answers signals or draws on the terminal."""
    extensions = {**settings.getdict("EXTENSIONS"), INTERRUPT: None}
    return {**QUIET, "EXTENSIONS": extensions, "NEWSCRAWL_LONGEST_WAIT": settings["NEWSCRAWL_RUN_LONGEST_WAIT"]}


def _answer_signals(fleet: Fleet) -> None:
    """The first SIGTERM or SIGINT drains, the second ends the process at once; SIGHUP reads the declarations anew."""
    loop = asyncio.get_running_loop()
    asked: list[int] = []

    def stop(number: int) -> None:
        if asked:
            print("newscrawl: stopped at once; what was on its way is asked for again", file=sys.stderr, flush=True)
            _leave_at_once(128 + number)
        asked.append(number)
        print("newscrawl: stopping; again to stop at once", file=sys.stderr, flush=True)
        fleet.stop()

    for number in OUR_SIGNALS:
        loop.add_signal_handler(number, stop, number)
    loop.add_signal_handler(signal.SIGHUP, fleet.reload)


def _leave_at_once(code: int) -> None:
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _stop_reactor() -> None:
    from twisted.internet import reactor

    with contextlib.suppress(RuntimeError):  # it stops already
        reactor.stop()  # type: ignore[misc]
