"""What a host has asked for outlives the crawl: a rest of two hours is not over because a new process starts.

Nor is a delay: when a request is about to be sent, that is stored first, so that a process killed the moment after
is followed by one that knows of it.
"""

from __future__ import annotations

import asyncio
from typing import Final

from newscrawl.crawling.ledger import Ledger
from newscrawl.scheduling.host import HostState
from newscrawl.storage import Store, hosts

KEY_PREFIX: Final = "domain:"
"""Delays belong to a registrable domain; other rows of the table to scheme://host:port."""

RESTART: Final = 0.4
"""Seconds. No process gets from its start to its first request sooner (importing Scrapy alone takes longer), so shorter
delays cannot be broken by a restart, and need not be stored before each request."""


class StoredHosts:
    """Host states in `hosts` (politeness.HostMemory).

    A host in good standing with a short delay is not written: nothing of it matters to the next process.
    """

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger
        self._written: set[str] = set()
        self._troubled: set[str] = set()

    async def load(self, host: str) -> HostState | None:
        """The state last saved, None for a host nobody had to remember."""
        row = await asyncio.wrap_future(self._store.run(hosts.load, KEY_PREFIX + host))
        if row is None:
            return None
        self._written.add(host)
        if row.failures or row.delay or row.not_before:
            self._troubled.add(host)
        return HostState(
            backoff=row.delay or 0.0,
            latency=row.latency or 0.0,
            failures=row.failures,
            last_request_at=row.last_request_at,
            not_before=row.not_before,
        )

    async def begin(self, host: str, state: HostState, delay: float) -> None:
        """A request is about to be sent at `state.last_request_at`: returns when a new process would know of it."""
        if delay > RESTART or host in self._written:
            self._note(host, state)
        if delay > RESTART:
            await self._ledger.written()

    async def save(self, host: str, state: HostState) -> None:
        """Keep the state after a request; of one in trouble, or that just left it, returns after the commit."""
        troubled = bool(state.failures or state.backoff or state.not_before)
        if not troubled and host not in self._written:
            return
        self._note(host, state)
        if troubled or host in self._troubled:
            await self._ledger.written()
        if troubled:
            self._troubled.add(host)
        else:
            self._troubled.discard(host)

    def forget(self, host: str) -> None:
        """The host's state is not kept in memory any more."""
        self._written.discard(host)
        self._troubled.discard(host)

    def _note(self, host: str, state: HostState) -> None:
        self._written.add(host)
        self._ledger.note_pace(
            hosts.HostRow(
                KEY_PREFIX + host,
                state.last_request_at,
                state.backoff,
                state.not_before,
                state.failures,
                state.crawl_delay,
                state.latency,
            )
        )
