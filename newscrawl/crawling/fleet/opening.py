"""Opens the database of `newscrawl run`: waits for a server that does not answer yet, and compares the clocks."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from newscrawl.crawling.fleet.board import Board
from newscrawl.errors import TEMPORARY, StorageError
from newscrawl.storage import Store
from newscrawl.storage.engine.clock import time_of
from newscrawl.times import TOLERANCE

logger = logging.getLogger(__name__)

FIRST_PAUSE: Final = 1.0
MAX_PAUSE: Final = 30.0
"""Seconds between two attempts; they double."""
LOG_EVERY: Final = 60.0
"""Seconds between two log lines."""


async def opened(make: Callable[[], Store], board: Board, stopping: asyncio.Event) -> Store | None:
    """Returns the store that `make` opens once its database answers; None if `stopping` was set before.

    Raises a StorageError that is not temporary. The board shows what the process waits for.
    """
    pause, logged_at = FIRST_PAUSE, float("-inf")
    while not stopping.is_set():
        try:
            store = await asyncio.to_thread(make)
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
            return store
        try:
            async with asyncio.timeout(pause):
                await stopping.wait()
        except TimeoutError:
            pause = min(2 * pause, MAX_PAUSE)
    return None


def clock_warning(store: Store) -> str | None:
    """Returns a line for the log if this machine's clock is more than `TOLERANCE` off that of the database's server,
    else None. Leases and delays are measured by the server's clock, but the times of articles by this machine's."""
    try:
        with store.reading() as connection:
            stated = time_of(connection)
    except StorageError:
        return None  # the crawls wait until the database answers again
    now = datetime.now(UTC)
    if abs(now - stated) <= TOLERANCE:
        return None
    clocks = f"this machine's clock shows {now:%Y-%m-%d %H:%M:%S} UTC, the database's {stated:%Y-%m-%d %H:%M:%S}"
    return f"{clocks}: times of articles will be wrong; set both clocks by NTP (timedatectl set-ntp true)"
