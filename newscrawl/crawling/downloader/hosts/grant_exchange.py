"""Sends the claims, releases and renewals of hosts to the database.

Claims and releases that wait share a transaction, so the number of transactions does not grow with the number of hosts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from newscrawl.errors import StorageError
from newscrawl.processes.process_names import is_dead
from newscrawl.storage import Transactions
from newscrawl.storage.machines import host_grants
from newscrawl.storage.machines.host_grants import Answer, Claim, GrantDurations, Release

logger = logging.getLogger(__name__)

AGAIN_WHILE_AWAY: Final = 1.0
"""Seconds between two attempts while the database is unreachable."""


class GrantExchange:
    """The claims and releases of one process, `owner`. `leases` runs transactions without waiting for batches. It is
    used in the event loop only."""

    def __init__(self, leases: Transactions, owner: str, durations: GrantDurations) -> None:
        self._leases = leases
        self._owner = owner
        self._durations = durations
        self._releases: dict[str, Release] = {}
        self._claims: dict[str, tuple[Claim, asyncio.Future[Answer]]] = {}
        self._running: asyncio.Task[None] | None = None

    async def claim(self, claim: Claim) -> Answer:
        """Returns the database's answer to a claim. Raises StorageError."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._claims[claim.key] = (claim, future)
        self._wake()
        return await future

    def release(self, release: Release) -> None:
        """Sends a release soon. It is sent again until the database has it."""
        self._releases[release.key] = release
        self._wake()

    async def renew(self, keys: Sequence[str]) -> Mapping[str, bool]:
        """Renews kept grants. Returns for each that was still in force whether another process wants its host. Raises
        StorageError."""
        run = self._leases.run(host_grants.renew, self._owner, keys, self._durations)
        return await asyncio.wrap_future(run)

    async def close(self) -> None:
        """Sends the releases that wait, once. Other processes get the remaining hosts when their grants end."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
        if self._releases:
            try:
                await self._run_once()
            except StorageError as error:
                logger.warning("%d hosts are not released, their grants will end: %s", len(self._releases), error)

    def _wake(self) -> None:
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Runs transactions until nothing waits."""
        while self._claims or self._releases:
            try:
                await self._run_once()
            except StorageError as error:
                if not self._claims:
                    logger.debug("hosts are not released yet: %s", error)
                    await asyncio.sleep(AGAIN_WHILE_AWAY)

    async def _run_once(self) -> None:
        releases, self._releases = self._releases, {}
        claims, self._claims = self._claims, {}
        wanted = [claim for claim, _ in claims.values()]
        try:
            run = self._leases.run(
                host_grants.exchange, self._owner, list(releases.values()), wanted, self._durations, is_dead
            )
            answers = await asyncio.wrap_future(run)
        except BaseException as error:
            self._releases = releases | self._releases
            for _, future in claims.values():
                _fail(future, error)
            raise
        for key, (_, future) in claims.items():
            if not future.done():
                future.set_result(answers[key])
            elif answers[key].is_granted:  # nobody waits for it any longer
                self._releases[key] = Release(key)


def _fail(future: asyncio.Future[Answer], error: BaseException) -> None:
    if future.done():
        return
    if isinstance(error, StorageError):
        future.set_exception(error)
    else:
        future.cancel()
