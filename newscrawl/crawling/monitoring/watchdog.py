"""Runs the watchdog: it opens alarms when a site or the whole fleet has no new articles, when extraction looks broken,
and when a site does not answer.

newscrawl.monitoring.watchdog has the checks. They run

- in `newscrawl run` every half minute (`watched`), for each site every half hour and soon after it had new pages;
- at the end of `scrapy crawl SITE`, for that site (`WatchAtEnd`).

`delivering` sends the alarms of a fleet, and what its standing searches find.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Final, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from newscrawl.config.catalogue import Config
from newscrawl.config.logs.lines import SaidOnce
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.repeating import GoesOn, repeating, working
from newscrawl.crawling.runtime.site_lease import WATCHDOG, FleetService
from newscrawl.crawling.runtime.site_session import session_of
from newscrawl.crawling.spider.site_declaration import CrawlArguments
from newscrawl.errors import StorageError
from newscrawl.model.wording import counted
from newscrawl.monitoring.watchdog import Watchdog, is_wanted
from newscrawl.publishing.deliver.sender import Delivered, Sender
from newscrawl.publishing.standing_searches import Evaluator
from newscrawl.storage.deliveries import ALARMS, SEARCHES
from newscrawl.storage.monitoring.alarms import Alarm, open_alarms
from newscrawl.storage.monitoring.checks import WatchScope
from newscrawl.storage.reader import Database, Transactions
from newscrawl.storage.records import GENERIC_SITE

logger = logging.getLogger(__name__)

DAMAGED: Final = "watchdog/damaged"
"""Counts stored samples and baselines that could not be read. The baseline is learned again."""
MAX_SECONDS: Final = 30.0
"""After these a crawl of one site begins to send no further alarm at its end; the next crawl does."""
LAST_WORD: Final = 4.0
"""Seconds that a process that was told to end may use to send its alarms."""


@asynccontextmanager
async def watched(
    store: Transactions,
    leases: Transactions,
    config: Config,
    declared: Callable[[], Collection[str]],
    asleep: Callable[[datetime], Collection[str]],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    show: Callable[[Collection[Alarm]], None] = lambda _: None,
) -> AsyncIterator[None]:
    """Runs the watchdog while the fleet runs, and once more when it has ended, so that `run --once` is checked, too.

    Of several processes on one database, one watches; `leases` runs the transactions that decide which. `declared` and
    `asleep` name the sites that are crawled, and those of them that are paused or in quiet hours now. `show` gets the
    open alarms after each check.
    """
    if not is_wanted(config):
        yield
        return
    up_since = now()
    service = FleetService(leases, WATCHDOG)
    watchdog = Watchdog(store)

    async def look() -> None:
        if await service.is_ours():
            await watch(now())
        with suppress(StorageError):
            show(await asyncio.wrap_future(store.run(open_alarms)))

    async def watch(at: datetime) -> None:
        sites, away = frozenset(declared()), frozenset(asleep(at))
        await watchdog.check_machines()
        await watchdog.check_reachable(at, sites, away)
        if await watchdog.check(at, WatchScope(None, up_since, sites, away)):
            logger.warning("damaged samples and baselines since the start: %s", counted(watchdog.damaged, "row"))

    try:
        async with repeating(config.monitoring.watchdog_interval, look):
            yield
    finally:
        await look()
        await service.close()


@asynccontextmanager
async def delivering(
    store: Database,
    config: Config,
    sender: Sender,
    is_ours: Callable[[], Awaitable[bool]],
    every: float,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    *,
    finish: bool = False,
) -> AsyncIterator[None]:
    """Evaluates all changes and sends what is due, every so many seconds in a thread, until the block is left; once
    more then with `finish`, else alarms alone, for a short time. While `is_ours` is false, another process does it.
    With a watchdog that is off, no alarm is sent."""
    alarms = [ALARMS] if is_wanted(config) else []
    evaluator = Evaluator(store, now)

    def evaluate_and_send(goes_on: GoesOn) -> Delivered:
        # First what a killed process may have sent: the same events, before new ones are added, have the same key.
        done = sender.send([*alarms, SEARCHES], goes_on)
        while goes_on() and evaluator.step():
            if alarms:  # they do not wait until many changes are evaluated
                sender.send(alarms, goes_on)
        return done + sender.send([*alarms, SEARCHES], goes_on)

    async def work(goes_on: GoesOn) -> None:
        done = await asyncio.to_thread(evaluate_and_send, goes_on) if await is_ours() else Delivered()
        if done.failures:
            logger.warning(
                "standing searches: %d deliveries failed and are tried again; `newscrawl search --saved` says why",
                done.failures,
            )

    said = SaidOnce(logger, "standing searches: %s", "standing searches are evaluated and sent again")
    async with working(every, work, said, finish=finish):
        yield
    if alarms and not finish and await is_ours():
        end = time.monotonic() + LAST_WORD
        with suppress(TimeoutError, StorageError):  # alarms that were not sent are sent at the next start
            async with asyncio.timeout(LAST_WORD):
                await asyncio.to_thread(sender.send, alarms, lambda: time.monotonic() < end)


class WatchAtEnd:
    """Scrapy extension: a single crawl checks its site when it ends. Within a fleet it does nothing."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        if is_wanted(config_of(crawler.settings)):
            crawler.signals.connect(extension._ended, signal=signals.spider_closed)
        return extension

    async def _ended(self, spider: Spider, reason: str) -> None:
        session = session_of(self._crawler)
        if session is None or session.fleet is not None:
            return
        arguments = getattr(spider, "arguments", None)
        if not isinstance(arguments, CrawlArguments) or spider.name == GENERIC_SITE:
            return  # not the spider of a declared site
        store = session.services.store
        whole = reason == "finished" and arguments == CrawlArguments()
        now, watchdog = datetime.now(UTC), Watchdog(store)
        damaged = await watchdog.check(now, WatchScope(spider.name if whole else ""))
        await watchdog.check_reachable(now, [spider.name])
        sender = Sender.of(store, config_of(self._crawler.settings), lambda: datetime.now(UTC))
        try:
            end = time.monotonic() + MAX_SECONDS
            await asyncio.to_thread(sender.send, [ALARMS], lambda: time.monotonic() < end)
        except StorageError as error:
            logger.warning("alarms wait for the database: %s", error)
        if self._crawler.stats is not None:
            failed = {f"watchdog/alert_failed/{name}": number for name, number in sender.alarms.failed.items()}
            for name, number in ({DAMAGED: damaged} | failed).items():
                if number:
                    self._crawler.stats.inc_value(name, number)
