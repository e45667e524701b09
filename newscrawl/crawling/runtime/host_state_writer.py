"""Writes the changes of many requests together: host states, and the numbers of requests.

All changes that are recorded while one transaction runs go into the next one. So two hundred hosts need no more commits
than the writer can make, and a single host waits only for its own.
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
from newscrawl.storage import Transactions
from newscrawl.storage.frontier import crawls
from newscrawl.storage.frontier.crawls import RequestNotes
from newscrawl.storage.frontier.hosts import HostRow

logger = logging.getLogger(__name__)

LINGER: Final = 1.0
"""Seconds that a change may wait for others if no caller waits for it."""


class HostStateWriter:
    """The unwritten changes of all crawls of a process. It is used in the event loop only."""

    def __init__(self, store: Transactions, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self.now = now
        """The clock by which the host states have their times."""
        self.owner: str | None = None
        """The process that keeps the grants of the hosts; None where hosts are not granted."""
        self._database = SaidOnce(logger, "states of hosts are not stored: %s", "states of hosts are stored again")
        self._paces: dict[str, HostRow] = {}
        self._of_sites: Counter[str] = Counter()
        self._of_hosts: Counter[str] = Counter()
        self._new_pages: Counter[str] = Counter()
        self._urgent = asyncio.Event()
        self._waiting: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    def note_state(self, row: HostRow) -> None:
        """Records the host's new state."""
        self._paces[row.key] = row
        self._wake()

    def note_request(self, site: str, host: str) -> None:
        """Counts one more request of the site to the host."""
        self._of_sites[site] += 1
        self._of_hosts[host] += 1
        self._wake()

    def note_new_page(self, name: str) -> None:
        """Records that the last request was for a never-fetched page. `name` is the name of its lease."""
        self._new_pages[name] += 1

    async def written(self) -> None:
        """Returns when everything recorded so far is committed. Raises StorageError if the database refuses it."""
        if not self._has_notes and (self._task is None or self._task.done()):
            return
        if self._waiting is None:
            self._waiting = asyncio.get_running_loop().create_future()
        waiting = self._waiting
        self._urgent.set()
        self._wake()
        await asyncio.shield(waiting)

    async def close(self) -> None:
        """Writes the remaining changes. An error is logged, because no caller could handle it."""
        try:
            await self.written()
        except StorageError as error:
            logger.warning("the last requests are not counted: %s", error)

    @property
    def _has_notes(self) -> bool:
        return bool(self._paces or self._of_sites)

    def _wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        while self._has_notes or self._waiting is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LINGER):
                    await self._urgent.wait()
            self._urgent.clear()
            waiting, self._waiting = self._waiting, None
            paces, self._paces = self._paces, {}
            of_sites, self._of_sites = self._of_sites, Counter()
            of_hosts, self._of_hosts = self._of_hosts, Counter()
            new_pages, self._new_pages = self._new_pages, Counter()
            try:  # a store that is closed refuses at once
                notes = RequestNotes(list(paces.values()), of_sites, of_hosts, new_pages, self.owner)
                await asyncio.wrap_future(self._store.run(crawls.write_notes, notes, self.now()))
            except StorageError as error:
                if waiting is None:
                    self._database.failed(error)
                elif not waiting.done():
                    waiting.set_exception(error)
            else:
                self._database.worked()
                if waiting is not None and not waiting.done():
                    waiting.set_result(None)
