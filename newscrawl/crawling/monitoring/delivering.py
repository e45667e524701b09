"""Evaluates standing searches, and sends alarms and what the searches find, beside the crawls in one process of the
fleet."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Final

from newscrawl.config.catalogue import Config
from newscrawl.config.logs.lines import SaidOnce
from newscrawl.crawling.runtime.repeating import GoesOn, working
from newscrawl.errors import StorageError
from newscrawl.monitoring.watchdog import is_wanted
from newscrawl.publishing.deliver.sender import Delivered, Sender
from newscrawl.publishing.standing_searches.evaluating import Evaluator
from newscrawl.storage.deliveries import ALARMS, SEARCHES
from newscrawl.storage.reader import Database

logger = logging.getLogger(__name__)

EVERY: Final = 5.0
"""Seconds between two looks for changes and for what is due."""
LAST_WORD: Final = 4.0
"""Seconds that a process that was told to end may use to send its alarms."""


@asynccontextmanager
async def delivering(
    store: Database,
    config: Config,
    sender: Sender,
    is_ours: Callable[[], Awaitable[bool]],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    every: float = EVERY,
    *,
    finish: bool = False,
) -> AsyncIterator[None]:
    """Evaluates all changes and sends what is due, every few seconds in a thread, until the block is left; once more
    then with `finish`, else alarms alone, for a short time. While `is_ours` is false, another process does it. With a
    watchdog that is off, no alarm is sent."""
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
