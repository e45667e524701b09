"""What a host has asked for outlives the crawl: a rest of two hours is not over because a new process starts.

Nor is a delay: when a request is about to be sent, that is stored first, so that a process killed the moment after
is followed by one that knows of it.

Each request claims its host first (storage.living). While another process crawls with the same SQLite database, and
once after one has, the host's row is then read again; what a request learned is stored before its claim ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import Final

from newscrawl.crawling.runtime.host_state_writer import LINGER, HostStateWriter
from newscrawl.scheduling.host import HostState, shared
from newscrawl.storage import Store
from newscrawl.storage.engine.process_locks import Living
from newscrawl.storage.frontier import hosts

KEY_PREFIX: Final = "domain:"
"""Delays belong to a registrable domain; other rows of the table to scheme://host:port."""

RESTART: Final = 0.4
"""Seconds. No process gets from its start to its first request sooner (importing Scrapy alone takes longer), so shorter
delays cannot be broken by a restart, and need not be stored before each request."""


SETTLE: Final = LINGER + 1.0
"""Seconds that a process waits with its first request when another crawls already. That one may have asked a host just
before it could see this one: its notes are stored after `LINGER` and a commit, and shorter delays are over."""

UNREAD: Final = -1
"""Stands for a number of arrivals at which no row was read."""


class HostStateStore:
    """Host states in `hosts` (politeness.HostMemory).

    A host in good standing with a short delay is not written: nothing of it matters to the next process. `living` says
    which other processes crawl with the database now; while there is one, all of it is written.
    """

    def __init__(
        self,
        store: Store,
        ledger: HostStateWriter,
        living: Living | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._living = living
        self._clock = clock
        others = self._is_watched()
        self._settled = clock() + SETTLE if others else 0.0
        self._arrivals = UNREAD if others or living is None else living.arrivals()
        self._read_at: dict[str, int] = {}
        """What `living.arrivals` was when the host's row was read last, where that is not `_arrivals`."""
        self._written: set[str] = set()
        self._troubled: set[str] = set()
        self._rows: dict[str, hosts.HostRow] = {}
        """The row of each host as this process last read or wrote it."""

    async def load(self, host: str) -> HostState | None:
        """The state last saved, None for a host nobody had to remember."""
        row = await self._read(host)
        if row is None:
            return None
        self._note_row(host, row)
        return replace(_state_of(row), crawl_delay=0.0)

    async def claim(self, host: str, known: HostState, now: datetime) -> HostState | None:
        """Take the host for one request (politeness.HostMemory.claim)."""
        if self._living is None:
            return known
        if self._settled and self._clock() < self._settled:
            return None
        if not self._living.take(host):
            return None
        arrivals, others = self._living.arrivals(), self._living.are_others()
        if not others and self._read_at.get(host, self._arrivals) == arrivals:
            return known
        try:
            row = await self._read(host)
        except BaseException:
            self._living.give_back(host)
            raise
        # Once more after the last of them has gone: it may have asked until then.
        self._read_at[host] = UNREAD if others else arrivals
        if row is None or _moments(row) == _moments(self._rows.get(host)):
            return known
        self._note_row(host, row)
        return shared(known, _state_of(row), now)

    def release(self, host: str) -> None:
        """The claimed request is over."""
        if self._living is not None:
            self._living.give_back(host)

    async def begin(self, host: str, state: HostState, delay: float) -> None:
        """A request is about to be sent at `state.last_request_at`: returns when a new process would know of it."""
        urgent = delay > RESTART or self._is_watched()
        if urgent or host in self._written:
            self._note(host, state)
        if urgent:
            await self._ledger.written()

    async def save(self, host: str, state: HostState) -> None:
        """Keep the state after a request; of one in trouble, or that just left it, returns after the commit."""
        troubled = bool(state.failures or state.backoff or state.not_before)
        watched = self._is_watched()
        if not troubled and not watched and host not in self._written:
            return
        self._note(host, state)
        if troubled or watched or host in self._troubled:
            await self._ledger.written()
        if troubled:
            self._troubled.add(host)
        else:
            self._troubled.discard(host)

    def forget(self, host: str) -> None:
        """The host's state is not kept in memory any more."""
        self._written.discard(host)
        self._troubled.discard(host)
        self._rows.pop(host, None)
        self._read_at.pop(host, None)

    def _is_watched(self) -> bool:
        return self._living is not None and self._living.are_others()

    async def _read(self, host: str) -> hosts.HostRow | None:
        return await asyncio.wrap_future(self._store.run(hosts.load, KEY_PREFIX + host))

    def _note_row(self, host: str, row: hosts.HostRow) -> None:
        self._rows[host] = row
        self._written.add(host)
        if row.failures or row.delay or row.not_before:
            self._troubled.add(host)

    def _note(self, host: str, state: HostState) -> None:
        self._written.add(host)
        row = self._rows[host] = hosts.HostRow(
            KEY_PREFIX + host,
            state.last_request_at,
            state.backoff,
            state.not_before,
            state.failures,
            state.crawl_delay,
            state.latency,
        )
        self._ledger.note_pace(row)


def _state_of(row: hosts.HostRow) -> HostState:
    return HostState(
        crawl_delay=row.crawl_delay or 0.0,
        backoff=row.delay or 0.0,
        latency=row.latency or 0.0,
        failures=row.failures,
        last_request_at=row.last_request_at,
        not_before=row.not_before,
    )


def _moments(row: hosts.HostRow | None) -> object:
    """What another process changes with every request."""
    return row and (row.last_request_at, row.not_before)
