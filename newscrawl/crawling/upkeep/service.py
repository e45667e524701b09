"""Does the upkeep of the database beside the crawls of `newscrawl run`, at intervals."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from newscrawl.config.catalogue import Config
from newscrawl.crawling.runtime.repeating import GoesOn, working
from newscrawl.crawling.upkeep.database_upkeep import upkeep_of
from newscrawl.errors import NewscrawlError
from newscrawl.logs.lines import SaidOnce
from newscrawl.storage.reader import Database

logger = logging.getLogger(__name__)

FIRST: Final = 600.0
"""Seconds from the start of `newscrawl run` to its first upkeep, so that due sites are crawled first."""
PAUSE: Final = 0.05
"""Seconds between two transactions beside a crawl."""

FurtherUpkeep = Callable[[bool, GoesOn], Counter[str]]
"""Further work of an upkeep: called with whether this process does the upkeep of the database. Returns counts for the
log."""


async def _always() -> bool:
    return True


@asynccontextmanager
async def running_upkeep(
    store: Database,
    config: Config,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    *,
    is_ours: Callable[[], Awaitable[bool]] = _always,
    further: FurtherUpkeep | None = None,
) -> AsyncIterator[None]:
    """Does the upkeep every NEWSCRAWL_PRUNE_INTERVAL_HOURS in a thread beside the crawls, until the block is left.

    While `is_ours` is false, another process does it for the database, and this one keeps only its own archive within
    its budget. `further` is called after it.
    """
    every = config.retention.prune_interval_hours * 3_600
    if not every:
        yield
        return

    async def keep_up(goes_on: GoesOn) -> None:
        upkeep = replace(upkeep_of(config, now()), pause=PAUSE, goes_on=goes_on)
        ours = await is_ours()
        log(await asyncio.to_thread(upkeep.work if ours else upkeep.work_on_archive, store))
        if further is not None and goes_on():
            log(await asyncio.to_thread(_guarded, further, ours, goes_on))

    said = SaidOnce(logger, "upkeep of the database: %s", "upkeep of the database is done again")
    async with working(every, keep_up, said, first=min(FIRST, every)):
        yield


def _guarded(further: FurtherUpkeep, ours: bool, goes_on: GoesOn) -> Counter[str]:
    """Calls `further`. An error of it is logged: the upkeep of the database and the crawls go on."""
    try:
        return further(ours, goes_on)
    except (NewscrawlError, OSError):
        raise  # logged in one line
    except Exception:
        logger.exception("upkeep of the database: further work failed")
        return Counter()


def log(done: Counter[str]) -> None:
    """Logs one line with the counts, if anything was done."""
    counts = ", ".join(f"{count} {name}" for name, count in sorted(done.items()) if count)
    if counts:
        logger.info("upkeep of the database: %s", counts)
