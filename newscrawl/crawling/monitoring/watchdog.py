"""The watchdog: opens alarms when a site or the whole fleet has no new articles, when extraction looks broken, and
when a site does not answer.

It calls `newscrawl.storage.monitoring.checks.check` and the checks beside it

- in `newscrawl run` every half minute (`watched`), for each site every half hour and soon after it had new pages;
- at the end of `scrapy crawl SITE`, for that site (`WatchAtEnd`).

`alarm_sender` sends the alarms.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from newscrawl.config.catalogue import Config
from newscrawl.config.reading import config_of
from newscrawl.crawling.monitoring.alarm_sender import AlarmSender
from newscrawl.crawling.runtime.repeating import repeating
from newscrawl.crawling.runtime.site_lease import WATCHDOG, FleetService
from newscrawl.crawling.runtime.site_session import session_of
from newscrawl.crawling.spider.site_declaration import CrawlArguments
from newscrawl.errors import StorageError
from newscrawl.logs.json_lines import about
from newscrawl.logs.lines import SaidOnce
from newscrawl.storage.monitoring.alarms import FLEET, Alarm, AlarmChanges, open_alarms
from newscrawl.storage.monitoring.checks import WatchScope, check, check_machines
from newscrawl.storage.monitoring.reachability import check_reachable
from newscrawl.storage.reader import Transactions
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.wording import counted

logger = logging.getLogger(__name__)

LAST_WORD: Final = 4.0
"""Seconds that a process may use at its end to send its alarms."""
DAMAGED: Final = "watchdog/damaged"
"""Counts stored samples and baselines that could not be read. The baseline is learned again."""
MAX_CHECKS: Final = 6
"""The most checks in one run, while there is more to do."""


@asynccontextmanager
async def watched(
    store: Transactions,
    leases: Transactions,
    config: Config,
    declared: Callable[[], Collection[str]],
    asleep: Callable[[datetime], Collection[str]],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    sender: AlarmSender | None = None,
    show: Callable[[Collection[Alarm]], None] = lambda _: None,
) -> AsyncIterator[None]:
    """Runs the watchdog while the fleet runs, and once more when it has ended, so that `run --once` is checked, too.

    Of several processes on one database, one watches and sends the alarms; `leases` runs the transactions that decide
    which. `declared` and `asleep` name the sites that are crawled, and those of them that are paused or in quiet hours
    now. `sender` sends the alarms; None: that of the settings. `show` gets the open alarms after each check.
    """
    if not is_wanted(config):
        yield
        return
    up_since = now()
    service = FleetService(leases, WATCHDOG)
    alarm_sender = sender or AlarmSender.of(config)
    damaged, database = 0, _database()
    sending: asyncio.Future[None] | None = None

    async def look() -> None:
        if await service.is_ours():
            await watch(now())
        with suppress(StorageError):
            show(await asyncio.wrap_future(store.run(open_alarms)))

    async def watch(at: datetime) -> None:
        nonlocal damaged
        await _checked(store.run(check_machines), database)
        await _checked(store.run(check_reachable, at, frozenset(declared()), frozenset(asleep(at))), database)
        scope = WatchScope(None, up_since, frozenset(declared()), frozenset(asleep(at)))
        more = await _look(store, at, scope, database)
        damaged += more
        if more:
            logger.warning("damaged samples and baselines since the start: %s", counted(damaged, "row"))

    async def send() -> None:
        if await service.is_ours():
            await alarm_sender.send(store, now)

    async def look_and_send() -> None:
        nonlocal sending
        await look()
        if sending is None or sending.done():  # a slow receiver does not delay the checks
            sending = asyncio.ensure_future(send())

    try:
        async with repeating(config.monitoring.watchdog_interval, look_and_send):
            yield
    finally:
        if sending is not None:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        await look()
        with suppress(TimeoutError):  # alarms that were not sent are sent at the next start
            async with asyncio.timeout(LAST_WORD):
                await send()
        await service.close()


def _database() -> SaidOnce:
    return SaidOnce(logger, "the watchdog waits for its database: %s", "the watchdog continues: its database answers")


async def _look(store: Transactions, now: datetime, scope: WatchScope, database: SaidOnce) -> int:
    """Runs a check. Returns how many stored samples and baselines were damaged."""
    damaged = 0
    try:
        for _ in range(MAX_CHECKS):
            changes = await asyncio.wrap_future(store.run(check, now, scope))
            damaged += changes.damaged
            log(changes)
            if not changes.more:
                break
    except StorageError as error:
        database.failed(error)
    else:
        database.worked()
    return damaged


async def _checked(check: Future[AlarmChanges], database: SaidOnce) -> None:
    """Waits for a check that needs no baseline, and logs the alarms that it opened and closed."""
    try:
        log(await asyncio.wrap_future(check))
    except StorageError as error:
        database.failed(error)


def is_wanted(config: Config) -> bool:
    """Returns whether the settings turn on any check."""
    return config.monitoring.watchdog_interval > 0


def log(changes: AlarmChanges) -> None:
    """Logs one line for each alarm that was opened or closed."""
    for alarm in changes.opened:
        level = logging.ERROR if alarm.severity == "critical" else logging.WARNING
        logger.log(level, "alarm: %s: %s", shown(alarm.site), alarm.message, extra=_about(alarm))
    for alarm in changes.closed:
        logger.warning("alarm over: %s: %s", shown(alarm.site), alarm.message, extra=_about(alarm))


def _about(alarm: Alarm) -> dict[str, Any]:
    return about(None if alarm.site == FLEET else alarm.site)


def shown(site: str) -> str:
    """Returns the site's name for display."""
    return "all sites" if site == FLEET else site


class WatchAtEnd:
    """Scrapy extension: a single crawl checks its site when it ends. Within a fleet it does nothing."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        watchdog = cls(crawler)
        if is_wanted(config_of(crawler.settings)):
            crawler.signals.connect(watchdog._ended, signal=signals.spider_closed)
        return watchdog

    async def _ended(self, spider: Spider, reason: str) -> None:
        session = session_of(self._crawler)
        if session is None or session.fleet is not None:
            return
        arguments = getattr(spider, "arguments", None)
        if not isinstance(arguments, CrawlArguments) or spider.name == GENERIC_SITE:
            return  # not the spider of a declared site
        store = session.services.store
        whole = reason == "finished" and arguments == CrawlArguments()
        now, database = datetime.now(UTC), _database()
        damaged = await _look(store, now, WatchScope(spider.name if whole else ""), database)
        if damaged and self._crawler.stats is not None:
            self._crawler.stats.inc_value(DAMAGED, damaged)
        await _checked(store.run(check_reachable, now, [spider.name]), database)
        sender = AlarmSender.of(config_of(self._crawler.settings))
        await sender.send(store, lambda: datetime.now(UTC))
        if self._crawler.stats is not None:
            for name, number in sender.deliveries.failed.items():
                self._crawler.stats.inc_value(f"watchdog/alert_failed/{name}", number)
