"""The watchdog's checks of one database: runs them, logs the alarms that they open and close, and counts damaged rows.

The checks are newscrawl.storage.monitoring.checks and .reachability; newscrawl.crawling.monitoring.watchdog says when a
crawl runs them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from concurrent.futures import Future
from datetime import datetime
from typing import Final

from newscrawl.config.catalogue import Config
from newscrawl.config.logs.lines import SaidOnce, about
from newscrawl.errors import StorageError
from newscrawl.storage.monitoring import checks
from newscrawl.storage.monitoring.alarms import FLEET, AlarmChanges
from newscrawl.storage.monitoring.checks import WatchScope, check_reachable
from newscrawl.storage.reader import Transactions

logger = logging.getLogger(__name__)

MAX_CHECKS: Final = 6
"""The most checks of baselines in one run, while there is more to do."""


class Watchdog:
    """Runs checks. A database that does not answer is logged once, and the checks run again next time."""

    def __init__(self, store: Transactions) -> None:
        self.damaged = 0
        """Stored samples and baselines that could not be read so far. What was in them is learned again."""
        self._store = store
        self._answers = SaidOnce(
            logger, "the watchdog waits for its database: %s", "the watchdog continues: its database answers"
        )

    async def check(self, now: datetime, scope: WatchScope) -> int:
        """Adds the waiting samples to the baselines and judges the sites that are due. Returns how many samples and
        baselines were damaged."""
        before = self.damaged
        try:
            for _ in range(MAX_CHECKS):
                changes = await asyncio.wrap_future(self._store.run(checks.check, now, scope))
                self.damaged += changes.damaged
                log(changes)
                if not changes.more:
                    break
        except StorageError as error:
            self._answers.failed(error)
        else:
            self._answers.worked()
        return self.damaged - before

    async def check_machines(self) -> None:
        """Checks whether machines are gone."""
        await self._log(self._store.run(checks.check_machines))

    async def check_reachable(self, now: datetime, declared: Collection[str], asleep: Collection[str] = ()) -> None:
        """Checks whether sites answer."""
        await self._log(self._store.run(check_reachable, now, declared, asleep))

    async def _log(self, check: Future[AlarmChanges]) -> None:
        try:
            log(await asyncio.wrap_future(check))
        except StorageError as error:
            self._answers.failed(error)


def is_wanted(config: Config) -> bool:
    """Returns whether the settings turn on any check."""
    return config.monitoring.watchdog_interval > 0


def log(changes: AlarmChanges) -> None:
    """Logs one line for each alarm that was opened or closed."""
    for alarm in changes.opened:
        level = logging.ERROR if alarm.severity == "critical" else logging.WARNING
        logger.log(level, "alarm: %s: %s", alarm.place, alarm.message, extra=_about(alarm.site))
    for alarm in changes.closed:
        logger.warning("alarm over: %s: %s", alarm.place, alarm.message, extra=_about(alarm.site))


def _about(site: str) -> dict[str, object]:
    return about(None if site == FLEET else site)
