"""Removes from this machine's archive what `newscrawl forget` was asked to remove on any machine: before anything is
fetched, and beside the crawls."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

from newscrawl.archive.archive_thread import ArchiveSettings, ArchiveWriter
from newscrawl.archive.asked_removals import RemovalsDone, remove_asked, take_over_files
from newscrawl.errors import ArchiveError, NewscrawlError
from newscrawl.logs.lines import SaidOnce
from newscrawl.storage.machines.registered import BEAT
from newscrawl.storage.reader import Database

EVERY: Final = BEAT.total_seconds()
"""Seconds between two looks for requests."""
LOCKED_PAUSE: Final = 0.5
"""Seconds between two attempts while another process of the machine removes something."""

FAILED: Final = "the removal from the archive failed and is tried again: %s"

logger = logging.getLogger(__name__)


def remove_before_crawling(
    store: Database, archive: ArchiveWriter | None, goes_on: Callable[[], bool] = lambda: True
) -> None:
    """Does everything that this machine was asked to remove, and stores that it holds the files that it finds in its
    folder. It stops early once `goes_on` returns False. Raises StorageError; a failure of the disk or the object
    store is logged."""
    if archive is None:
        return
    settings = archive.settings
    try:
        take_over_files(store, settings.folder, settings.machine)
        while _remove(store, settings, goes_on).is_locked and goes_on():
            time.sleep(LOCKED_PAUSE)
    except (ArchiveError, OSError) as error:
        logger.error(FAILED, error)  # noqa: TRY400  its one line says all


class RemovalWatch:
    """Looks every 15 seconds whether the machine was asked to remove something, and does it in a thread. Files that
    this process writes are closed for that."""

    def __init__(self, store: Database, archive: ArchiveWriter, every: float = EVERY) -> None:
        self._store = store
        self._archive = archive
        self._every = every
        self._failures = SaidOnce(logger, FAILED, "the removal from the archive goes on")
        self._stopped = threading.Event()
        self._stop = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Ends the watch, after the file that is being rewritten."""
        self._stopped.set()
        self._stop.set()
        await self._task

    async def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                async with asyncio.timeout(self._every):
                    await self._stop.wait()
            except TimeoutError:
                await asyncio.to_thread(self._look)

    def _look(self) -> None:
        try:
            done = _remove(self._store, self._archive.settings, lambda: not self._stopped.is_set())
        except (NewscrawlError, OSError) as error:
            self._failures.failed(error)
            return
        self._failures.worked()
        if done.busy:
            self._archive.finish_files(done.busy)


@asynccontextmanager
async def removing_when_asked(
    store: Database, archive: ArchiveWriter | None, goes_on: Callable[[], bool], every: float = EVERY
) -> AsyncIterator[None]:
    """Does what `remove_before_crawling` does before the block is entered, and runs a RemovalWatch until it is left."""
    if archive is None:
        yield
        return
    await asyncio.to_thread(remove_before_crawling, store, archive, goes_on)
    watch = RemovalWatch(store, archive, every)
    try:
        yield
    finally:
        await watch.close()


def _remove(store: Database, settings: ArchiveSettings, goes_on: Callable[[], bool]) -> RemovalsDone:
    now = datetime.now(UTC)
    return remove_asked(
        store,
        settings.folder,
        settings.machine,
        now,
        software=settings.software,
        goes_on=goes_on,
        objects=settings.objects,
    )
