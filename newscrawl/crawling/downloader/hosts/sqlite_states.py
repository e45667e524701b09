"""Keeps host states in the database, so that a pause or delay also holds for the next process.

The time of a request is stored before it is sent, unless the delay is too short to matter (`RESTART`).

Each request first claims its host (storage.engine.process_locks.ProcessRegistration). The host's row is read again
while another process crawls with the same SQLite database, and once more after the last of them has ended. The result
of a request is stored before its claim ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import Final

from newscrawl.crawling.downloader.hosts.states import HostClaim
from newscrawl.crawling.runtime.host_state_writer import LINGER, HostStateWriter
from newscrawl.scheduling.host import HostState, shared
from newscrawl.storage import Transactions
from newscrawl.storage.engine.process_locks import ProcessRegistration
from newscrawl.storage.frontier import hosts

KEY_PREFIX: Final = "domain:"
"""Delays belong to a registrable domain; other rows of the table to scheme://host:port."""

RESTART: Final = 0.4
"""Seconds. A process needs longer from its start to its first request (importing Scrapy alone takes longer), so a
restart cannot break shorter delays, and they need not be stored before each request."""


SETTLE: Final = LINGER + 1.0
"""Seconds before the first request of a process if another process already crawls. The other one may have sent a
request just before it could see this one: it stores that after `LINGER` and a commit, and shorter delays are over by
then."""

UNREAD: Final = -1
"""Marks that no row was read at any number of arrivals."""


class SqliteHostStates:
    """Host states in the table `hosts` (implements states.HostStates).

    A host without failures and with a short delay is not written, because the next process does not need its state.
    `living` knows which other processes crawl with the database now; while there is one, every state is written.
    """

    def __init__(
        self,
        store: Transactions,
        host_writer: HostStateWriter,
        living: ProcessRegistration | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._store = store
        self._host_writer = host_writer
        self._living = living
        self._clock = clock
        others = self._is_watched()
        self._settled = clock() + SETTLE if others else 0.0
        self._arrivals = UNREAD if others or living is None else living.arrivals()
        self._read_at: dict[str, int] = {}
        """The value of `living.arrivals` when the host's row was last read, if that is not `_arrivals`."""
        self._written: set[str] = set()
        self._troubled: set[str] = set()
        self._rows: dict[str, hosts.HostRow] = {}
        """The row of each host as this process last read or wrote it."""

    async def load(self, host: str) -> HostState | None:
        """Returns the state last saved, None if none was."""
        row = await self._read(host)
        if row is None:
            return None
        self.note_row(host, row)
        return replace(hosts.state_of(row), crawl_delay=0.0)

    async def claim(self, host: str, known: HostState, delay: float, now: datetime) -> HostClaim:
        """Claims the host for one request (states.HostStates.claim). If another process changed its state, the
        claim is not granted, and the host is claimed again when that state allows it."""
        if self._living is None:
            return HostClaim(is_granted=True)
        if self._settled and self._clock() < self._settled:
            return HostClaim(is_granted=False)
        if not self._living.take(host):
            return HostClaim(is_granted=False)
        arrivals, others = self._living.arrivals(), self._living.are_others()
        if not others and self._read_at.get(host, self._arrivals) == arrivals:
            return HostClaim(is_granted=True)
        try:
            row = await self._read(host)
        except BaseException:
            self._living.give_back(host)
            raise
        # Read once more after the last of them has gone: it may have sent requests until then.
        self._read_at[host] = UNREAD if others else arrivals
        if row is None or _moments(row) == _moments(self._rows.get(host)):
            return HostClaim(is_granted=True)
        self._living.give_back(host)
        self.note_row(host, row)
        return HostClaim(is_granted=False, state=shared(known, hosts.state_of(row), now), again_in=0.0)

    def may_send(self, host: str) -> bool:
        """Returns True: the lock of a claim lasts until it is given back."""
        return True

    def release(self, host: str) -> None:
        """Ends the claim of a request."""
        if self._living is not None:
            self._living.give_back(host)

    async def begin(self, host: str, state: HostState, delay: float) -> None:
        """Stores that a request is about to be sent at `state.last_request_at`, if a new process must know of it;
        returns after the commit then."""
        urgent = delay > RESTART or self._is_watched()
        if urgent or host in self._written:
            self._note(host, state)
        if urgent:
            await self._host_writer.written()

    async def save(self, host: str, state: HostState) -> None:
        """Stores the state after a request. Returns after the commit for a host that is failing or resting, or was at
        its last save, or while other processes crawl."""
        troubled = bool(state.failures or state.backoff or state.not_before)
        watched = self._is_watched()
        if not troubled and not watched and host not in self._written:
            return
        self._note(host, state)
        if troubled or watched or host in self._troubled:
            await self._host_writer.written()
        if troubled:
            self._troubled.add(host)
        else:
            self._troubled.discard(host)

    def forget(self, host: str) -> None:
        """Drops the notes about a host whose state is no longer kept in memory."""
        self._written.discard(host)
        self._troubled.discard(host)
        self._rows.pop(host, None)
        self._read_at.pop(host, None)

    async def close(self) -> None:
        """Does nothing: the claims end with the process's registration (`ProcessRegistration`)."""

    def _is_watched(self) -> bool:
        return self._living is not None and self._living.are_others()

    async def _read(self, host: str) -> hosts.HostRow | None:
        return await asyncio.wrap_future(self._store.run(hosts.load, KEY_PREFIX + host))

    def note_row(self, host: str, row: hosts.HostRow) -> None:
        """Notes the host's row as it was just read."""
        self._rows[host] = row
        self._written.add(host)
        if row.failures or row.delay or row.not_before:
            self._troubled.add(host)

    def _note(self, host: str, state: HostState) -> None:
        self._written.add(host)
        row = self._rows[host] = row_of(host, state)
        self._host_writer.note_state(row)


def row_of(host: str, state: HostState) -> hosts.HostRow:
    """Returns the row of a domain with this state."""
    return hosts.HostRow(
        KEY_PREFIX + host,
        state.last_request_at,
        state.backoff,
        state.not_before,
        state.failures,
        state.crawl_delay,
        state.latency,
    )


def _moments(row: hosts.HostRow | None) -> object:
    """Returns the values that another process changes with every request."""
    return row and (row.last_request_at, row.not_before)
