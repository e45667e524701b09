"""Removes from this machine's archive what `newscrawl forget` was asked to remove on any machine: before anything is
fetched, and beside the crawls."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

from newscrawl.archive.remove import remove_asked, take_over_files
from newscrawl.archive.writer import ArchiveWriter
from newscrawl.config.logs.lines import SaidOnce
from newscrawl.crawling.runtime.repeating import GoesOn, working
from newscrawl.errors import ArchiveError
from newscrawl.storage.machines import BEAT
from newscrawl.storage.reader import Database

LOCKED_PAUSE: Final = 0.5
"""Seconds between two attempts while another process of the machine removes something."""

FAILED: Final = "the removal from the archive failed and is tried again: %s"

logger = logging.getLogger(__name__)


def remove_before_crawling(store: Database, archive: ArchiveWriter | None, goes_on: GoesOn = lambda: True) -> None:
    """Does everything that this machine was asked to remove, and stores that it holds the files that it finds in its
    folder. It stops early once `goes_on` returns False. Raises StorageError; a failure of the disk or the object
    store is logged."""
    if archive is None:
        return
    try:
        take_over_files(store, archive.settings)
        while remove_asked(store, archive.settings, datetime.now(UTC), goes_on).files_left("locked") and goes_on():
            time.sleep(LOCKED_PAUSE)
    except (ArchiveError, OSError) as error:
        logger.error(FAILED, error)  # noqa: TRY400  its one line says all


@asynccontextmanager
async def removing(store: Database, archive: ArchiveWriter, every: float = BEAT.total_seconds()) -> AsyncIterator[None]:
    """Looks every 15 seconds whether the machine was asked to remove something, and does it in a thread, until the
    block is left: then after the file that is being rewritten. Files that this process writes are closed for that."""

    async def look(goes_on: GoesOn) -> None:
        done = await asyncio.to_thread(remove_asked, store, archive.settings, datetime.now(UTC), goes_on)
        if busy := done.files_left("busy"):
            archive.finish_files(busy)

    said = SaidOnce(logger, FAILED, "the removal from the archive goes on")
    async with working(every, look, said):
        yield
