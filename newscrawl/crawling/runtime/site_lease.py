"""Keeps a site's lease during a crawl, so that no two processes on one database crawl a site at once; also that of work
which one process does for all.

The database's clock measures a lease. This process measures by its own steady clock for how long the lease is in force:
from the moment before it asked for the last confirmed renewal, for the duration minus a margin. After that no request
is sent until a renewal is confirmed, so a process that was stopped, or that cannot reach the database, sends nothing
after another process may have become the owner.

The lease of a process that died expires. If the process ran on this machine, another one need not wait for that
(newscrawl.workers.processes.process_names).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from newscrawl.config.logs.lines import about
from newscrawl.errors import SiteLeased, StorageError
from newscrawl.storage.frontier import leases
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.reader import Transactions
from newscrawl.workers.processes.process_names import is_dead, this_process

logger = logging.getLogger(__name__)

DURATION: Final = timedelta(seconds=60)
RENEWALS: Final = 3
"""Renewals within one lease duration, so that two of them may fail."""
MARGIN: Final = 0.1
"""Share of a lease's duration by which this process stops before the lease ends: clocks may run at slightly different
speeds, and a request that was just sent is still on its way."""

WATCHDOG: Final = f"{leases.SERVICE}watchdog"
UPKEEP: Final = f"{leases.SERVICE}upkeep"
DELIVERIES: Final = f"{leases.SERVICE}deliveries"
"""Names of work that one process does for all that crawl with a database."""


def steady_seconds() -> float:
    """Returns the seconds of a clock that is never set, and that also runs while the machine is suspended (Linux)."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class KeptLease:
    """A lease that is renewed until it is released. If it is lost, `lost` is called once: with the error of a database
    that refused until the lease expired, or with None if another process has taken it.

    `asked_at` is the time of `clock`, in seconds, before the lease was asked for.
    """

    def __init__(
        self,
        store: Transactions,
        lease: Lease,
        lost: Callable[[StorageError | None], None],
        duration: timedelta = DURATION,
        *,
        asked_at: float,
        clock: Callable[[], float] = steady_seconds,
    ) -> None:
        self._store = store
        self._lease = lease
        self._lost = lost
        self._duration = duration
        self._clock = clock
        self._asked_at = asked_at
        self._task = asyncio.get_running_loop().create_task(self._keep())

    @property
    def lease(self) -> Lease:
        """The lease as it was last confirmed."""
        return self._lease

    def is_in_force(self) -> bool:
        """Returns whether the lease cannot have ended yet, so that a request may be sent now."""
        return self._clock() < self._asked_at + (1 - MARGIN) * self._duration.total_seconds()

    async def stop(self) -> None:
        """Stops renewing: the caller's next transaction ends the lease."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def release(self) -> None:
        """Stops renewing and ends the lease, unless `stop` was called before. Errors of the database are logged, as the
        lease expires anyway."""
        if self._task.cancelled():
            return
        await self.stop()
        try:
            await asyncio.wrap_future(self._store.run(leases.release, self._lease))
        except StorageError as error:
            site = self._lease.site
            logger.warning("lease of %s not released, it expires: %s", site, error, extra=about(site))

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(self._duration.total_seconds() / RENEWALS)
            asked_at, refused = self._clock(), None
            try:
                renewed = await asyncio.wrap_future(self._store.run(leases.renew, self._lease, None, self._duration))
            except StorageError as error:
                if self._clock() < self._asked_at + self._duration.total_seconds():
                    continue  # the database may answer again in time
                renewed, refused = None, error
            if renewed is None:
                logger.error("the lease of %s is lost", self._lease.site, extra=about(self._lease.site))
                self._lost(refused)
                return
            self._lease, self._asked_at = renewed, asked_at


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
