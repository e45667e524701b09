"""What a host has asked for outlives the crawl: a rest of two hours is not over because a new process starts."""

from __future__ import annotations

import asyncio
from typing import Final

from newscrawl.scheduling.host import HostState
from newscrawl.storage import Store, hosts

KEY_PREFIX: Final = "domain:"
"""Delays belong to a registrable domain; other rows of the table to scheme://host:port."""


class StoredHosts:
    """Host states in `hosts` (politeness.HostMemory).

    Only hosts that asked for rest or failed are written: a good answer of a host in good standing changes nothing that
    the next crawl has to know.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._troubled: set[str] = set()

    async def load(self, host: str) -> HostState | None:
        """The state last saved, None for a host in good standing."""
        row = await asyncio.wrap_future(self._store.run(hosts.load, KEY_PREFIX + host))
        if row is None:
            return None
        self._troubled.add(host)
        return HostState(
            backoff=row.delay or 0.0,
            failures=row.failures,
            last_request_at=row.last_request_at,
            not_before=row.not_before,
        )

    async def save(self, host: str, state: HostState) -> None:
        """Keep a state of trouble, and that it is over."""
        troubled = bool(state.failures or state.backoff or state.not_before)
        if not troubled and host not in self._troubled:
            return
        row = hosts.HostRow(KEY_PREFIX + host, state.last_request_at, state.backoff, state.not_before, state.failures)
        await asyncio.wrap_future(self._store.run(hosts.save, row))
        if troubled:
            self._troubled.add(host)
        else:
            self._troubled.discard(host)
