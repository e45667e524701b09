"""Applies to `scrapy crawl SITE` what commands decided about the site: `newscrawl pause`, `resume` and `budget`.

A priority chooses between sites, so it has no effect on the crawl of one site.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from newscrawl.config.derived.daily_requests import budget_of, read
from newscrawl.errors import DailyBudgetReached, StorageError, UsageError
from newscrawl.logs.json_lines import about
from newscrawl.storage.frontier import sites
from newscrawl.storage.store import Store

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 8.0
"""Seconds between two reads of the table `sites`."""
PAUSED: Final = "paused"
"""Finish reason of a crawl whose site was paused."""


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
    """Returns what holds for the site. Raises UsageError if it is paused, DailyBudgetReached if today's
    budget is used up."""
    found = decided(store, site, now)
    if found.is_paused:
        raise UsageError(f"site {site!r} is paused: `newscrawl resume {site}` ends the pause")
    if found.budget is not None and found.requests_today >= found.budget:
        raise DailyBudgetReached(site, found.budget)
    return found


class ControlWatch:
    """Calls `paused` once, when the site is paused, and `budget` with the requests a day whenever they change."""

    def __init__(
        self,
        store: Store,
        site: str,
        at_start: Decided,
        paused: Callable[[], None],
        budget: Callable[[int | None], None],
    ) -> None:
        self._store = store
        self._site = site
        self._budget = at_start.budget
        self._paused = paused
        self._set_budget = budget
        self._task = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Ends the watching."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                found = await asyncio.to_thread(decided, self._store, self._site, datetime.now(UTC))
            except StorageError:
                continue  # the crawl itself reports a database that does not answer
            if found.is_paused:
                site = self._site
                logger.info("%s is paused: its crawl ends after the requests in progress", site, extra=about(site))
                self._paused()
                return
            if found.budget != self._budget:
                self._budget = found.budget
                self._set_budget(found.budget)
