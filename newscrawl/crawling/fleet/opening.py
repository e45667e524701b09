"""Opens the database of `newscrawl run`, and waits for a server that does not answer yet."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from newscrawl.crawling.fleet.board import Board
from newscrawl.errors import TEMPORARY, StorageError
from newscrawl.storage import Store

logger = logging.getLogger(__name__)

FIRST_PAUSE: Final = 1.0
MAX_PAUSE: Final = 30.0
"""Seconds between two attempts; they double."""
LOG_EVERY: Final = 60.0
"""Seconds between two log lines."""


async def opened(make: Callable[[], Store], board: Board, stopping: asyncio.Event) -> Store | None:
    """Returns the store that `make` opens once its database answers; None if `stopping` was set before.

    Raises a StorageError that is not temporary, and WrongClock. The board shows what the process waits for.
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
