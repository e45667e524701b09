"""Work that one process does for all processes that crawl with a database: the watchdog with its alarms, the upkeep,
and standing searches."""

from __future__ import annotations

import asyncio
from typing import Final

from newscrawl.crawling.runtime.site_lease import DURATION, KeptLease, steady_seconds
from newscrawl.errors import SiteLeased, StorageError
from newscrawl.processes.process_names import is_dead, this_process
from newscrawl.storage.frontier import leases
from newscrawl.storage.reader import Transactions

WATCHDOG: Final = f"{leases.SERVICE}watchdog"
UPKEEP: Final = f"{leases.SERVICE}upkeep"
SEARCHES: Final = f"{leases.SERVICE}searches"


class FleetService:
    """The lease of one kind of work. The first process that asks does the work until it ends. If it dies, another
    process takes over.

    `store` runs the transactions on leases.
    """

    def __init__(self, store: Transactions, name: str) -> None:
        self._store = store
        self._name = name
        self._kept: KeptLease | None = None

    async def is_ours(self) -> bool:
        """Returns whether this process does the work now; takes the lease if nobody has it. False while the database
        does not answer."""
        if self._kept is not None:
            return self._kept.is_in_force()
        asked_at = steady_seconds()
        try:
            taking = self._store.run(leases.take, self._name, this_process(), None, DURATION, is_dead)
            lease = await asyncio.wrap_future(taking)
        except (SiteLeased, StorageError):
            return False
        self._kept = KeptLease(self._store, lease, self._lost, asked_at=asked_at)
        return True

    async def close(self) -> None:
        """Leaves the work to another process."""
        kept, self._kept = self._kept, None
        if kept is not None:
            await kept.release()

    def _lost(self, _refused: StorageError | None) -> None:
        self._kept = None
