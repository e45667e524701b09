"""Counts the requests of sites, and those for never-fetched pages, in the database.

The daily budget of a site and its daily limit of new addresses need the numbers. What is recorded within a second goes
into one transaction, so a killed process loses the numbers of a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from newscrawl.errors import StorageError
from newscrawl.logs.lines import SaidOnce
from newscrawl.storage.frontier import crawls
from newscrawl.storage.reader import Transactions

logger = logging.getLogger(__name__)

LINGER: Final = 1.0
"""Seconds that a number may wait for others if no caller waits for it."""


class RequestCounts:
    """The unwritten numbers of all crawls of a process. It is used in the event loop only."""

    def __init__(self, store: Transactions, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._now = now
        self._database = SaidOnce(logger, "requests are not counted: %s", "requests are counted again")
        self._of_sites: Counter[str] = Counter()
        self._new_pages: Counter[str] = Counter()
        self._urgent = asyncio.Event()
        self._waiting: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    def note_request(self, site: str) -> None:
        """Counts one more request of the site."""
        self._of_sites[site] += 1
        self._wake()

    def note_new_page(self, name: str) -> None:
        """Records that the last request was for a never-fetched page. `name` is the name of its lease."""
        self._new_pages[name] += 1

    async def written(self) -> None:
        """Returns when everything recorded so far is committed. Raises StorageError if the database refuses it."""
        if not self._of_sites and (self._task is None or self._task.done()):
            return
        if self._waiting is None:
            self._waiting = asyncio.get_running_loop().create_future()
        waiting = self._waiting
        self._urgent.set()
        self._wake()
        await asyncio.shield(waiting)

    async def close(self) -> None:
        """Writes the remaining numbers. An error is logged, because no caller could handle it."""
        try:
            await self.written()
        except StorageError as error:
            logger.warning("the last requests are not counted: %s", error)

    def _wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        while self._of_sites or self._waiting is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LINGER):
                    await self._urgent.wait()
            self._urgent.clear()
            waiting, self._waiting = self._waiting, None
            of_sites, self._of_sites = self._of_sites, Counter()
            new_pages, self._new_pages = self._new_pages, Counter()
            try:  # a store that is closed refuses at once
                run = self._store.run(crawls.count_requests, of_sites, new_pages, self._now())
                await asyncio.wrap_future(run)
            except StorageError as error:
                if waiting is None:
                    self._database.failed(error)
                elif not waiting.done():
                    waiting.set_exception(error)
            else:
                self._database.worked()
                if waiting is not None and not waiting.done():
                    waiting.set_result(None)
