"""Host states of a PostgreSQL database that several processes and machines use: each request needs a grant of its host.

A process keeps the grant of a host, and writes the host's state as a single process does (sqlite_states), until
another process wants the host. Then both claim the host for each request, and each release stores what the answer
changed (storage.machines.host_grants). GrantExchange sends claims and releases to the database.

The database's clock measures a grant. This process measures by its own steady clock until when it may still begin a
request under it: a request that begins at the last moment ends before the grant does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from newscrawl.crawling.downloader.hosts.grant_exchange import AGAIN_WHILE_AWAY, GrantExchange
from newscrawl.crawling.downloader.hosts.sqlite_states import KEY_PREFIX, SqliteHostStates, row_of
from newscrawl.crawling.downloader.hosts.states import HostClaim
from newscrawl.crawling.downloader.hosts.throttle import LOOK_AGAIN
from newscrawl.crawling.runtime.host_state_writer import LINGER, HostStateWriter
from newscrawl.crawling.runtime.site_lease import MARGIN, steady_seconds
from newscrawl.errors import DatabaseUnavailable, StorageError
from newscrawl.scheduling.host import HostState, shared
from newscrawl.storage import Transactions
from newscrawl.storage.frontier.hosts import state_of
from newscrawl.storage.machines.host_grants import Answer, Claim, GrantDurations, Release

logger = logging.getLogger(__name__)

RENEWALS: Final = 6
"""Renewals within the duration of a kept grant. A host that another process wants is shared after one of them."""

IDLE: Final = 10.0
"""Seconds without a request after which a kept grant is released."""

SINGLE: Final = 20.0
"""Seconds within which a request must begin that was granted alone."""

AGAIN: Final = 0.2
"""Seconds between two claims of a host that another process has."""


@dataclass(frozen=True, slots=True)
class GrantTiming:
    """Seconds: how long a kept grant allows requests to begin without a renewal, and how long a request may last."""

    kept: float
    request: float

    @property
    def durations(self) -> GrantDurations:
        """How long the database holds grants: until a request that begins at the last moment has ended."""
        return GrantDurations(timedelta(seconds=self.kept + self.request), timedelta(seconds=SINGLE + self.request))


@dataclass(slots=True)
class _Grant:
    until: float
    """When the last request may begin, by the steady clock."""
    is_kept: bool
    used_at: float
    is_contested: bool = False
    in_use: bool = True
    state: HostState | None = None
    """The state after the last request."""


class HostGrants:
    """Host states in the table `hosts`, one owner of each host at a time (implements states.HostStates).

    `leases` runs transactions without waiting for batches. It is used in the event loop only.
    """

    def __init__(
        self,
        store: Transactions,
        leases: Transactions,
        host_writer: HostStateWriter,
        owner: str,
        timing: GrantTiming,
        clock: Callable[[], float] = steady_seconds,
    ) -> None:
        self._host_writer = host_writer
        self._owner = owner
        self._timing = timing
        self._clock = clock
        self._states = SqliteHostStates(store, host_writer)
        self._grants: dict[str, _Grant] = {}
        self._leaving: set[str] = set()
        """Hosts whose kept grant ends when its notes are written."""
        self._exchange = GrantExchange(leases, owner, timing.durations)
        self._tasks: set[asyncio.Task[None]] = set()
        self._renewing: asyncio.Task[None] | None = None
        host_writer.owner = owner

    async def load(self, host: str) -> HostState | None:
        """Returns None: the first claim reads the state."""
        return None

    async def claim(self, host: str, known: HostState, delay: float, now: datetime) -> HostClaim:
        """Claims the host for one request (states.HostStates.claim)."""
        grant = self._grants.get(host)
        if grant is not None and grant.is_kept and not grant.is_contested and self._clock() < grant.until:
            grant.in_use, grant.used_at = True, self._clock()
            return HostClaim(is_granted=True)
        if grant is not None:  # it ran out: were it released during the claim, that would end the new grant
            self._give_up(host)
        if host in self._leaving:
            return HostClaim(is_granted=False, again_in=AGAIN)
        asked_at = self._clock()
        try:
            answer = await self._exchange.claim(Claim(KEY_PREFIX + host, delay))
        except DatabaseUnavailable:
            return HostClaim(is_granted=False, again_in=AGAIN_WHILE_AWAY)
        if answer.is_granted:
            seconds = self._timing.kept if answer.is_kept else SINGLE
            self._grants[host] = _Grant(asked_at + (1 - MARGIN) * seconds, answer.is_kept, asked_at)
            self._keep_renewing()
        wait = (answer.due_at - answer.now).total_seconds() if answer.due_at is not None else AGAIN
        return HostClaim(answer.is_granted, self._changed(host, known, answer), min(wait, LOOK_AGAIN))

    def release(self, host: str) -> None:
        """Ends the claim of a request. The grant ends with it, unless it is kept and no other process wants it."""
        grant = self._grants.get(host)
        if grant is None:
            return
        grant.in_use, grant.used_at = False, self._clock()
        if not grant.is_kept or grant.is_contested:
            self._give_up(host)

    def may_send(self, host: str) -> bool:
        """Returns whether a request to the host may begin now."""
        grant = self._grants.get(host)
        return grant is not None and grant.in_use and self._clock() < grant.until

    async def begin(self, host: str, state: HostState, delay: float) -> None:
        """Stores that a request is about to be sent under a kept grant. A single grant is stored already."""
        grant = self._grants.get(host)
        if grant is not None and grant.is_kept:
            await self._states.begin(host, state, delay)

    async def save(self, host: str, state: HostState) -> None:
        """Stores the state after a request: at once under a kept grant, with the release under a single one."""
        grant = self._grants.get(host)
        if grant is None:
            return
        grant.state = state
        if grant.is_kept:
            await self._states.save(host, state)

    def forget(self, host: str) -> None:
        """Drops the notes about a host whose state is no longer kept in memory, and releases it."""
        self._states.forget(host)
        if host in self._grants:
            self._give_up(host)

    async def close(self) -> None:
        """Releases all hosts. Hosts that could not be released become free when their grants end."""
        if self._renewing is not None:
            self._renewing.cancel()
        for host in list(self._grants):
            self._give_up(host)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._exchange.close()

    def _changed(self, host: str, known: HostState, answer: Answer) -> HostState | None:
        """Returns the state that other processes left, with times of this process's clock; None if none did."""
        stored = answer.stored
        if stored is None or stored.owner == self._owner:
            return None
        shift = self._host_writer.now() - answer.now
        row = replace(
            stored.state,
            last_request_at=_shifted(stored.state.last_request_at, shift),
            not_before=_shifted(stored.state.not_before, shift),
        )
        if not stored.is_contested(answer.now):  # robots.txt is read again, and its delay may have become shorter
            row = replace(row, crawl_delay=None)
        self._states.note_row(host, row)
        return shared(known, state_of(row), self._host_writer.now())

    def _give_up(self, host: str) -> None:
        grant = self._grants.pop(host)
        is_old = self._clock() - grant.used_at >= LINGER  # then its notes are written
        state = None if grant.state is None or is_old else row_of(host, grant.state)
        release = Release(KEY_PREFIX + host, state)
        if not grant.is_kept:
            self._exchange.release(release)
            return
        self._leaving.add(host)
        self._start(self._release_after_notes(host, release))

    async def _release_after_notes(self, host: str, release: Release) -> None:
        """Releases a kept grant once its earlier notes are written: a late one would hide the state of the release."""
        try:
            await self._host_writer.written()
        except StorageError as error:
            logger.warning("the state of %s was not stored before its release: %s", host, error)
        self._leaving.discard(host)
        self._exchange.release(release)

    def _keep_renewing(self) -> None:
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        """Renews kept grants as long as there are any, and releases those that are idle."""
        while self._grants:
            await asyncio.sleep(self._timing.kept / RENEWALS)
            idle_since = self._clock() - IDLE
            for host, grant in list(self._grants.items()):
                if grant.is_kept and not grant.in_use and grant.used_at < idle_since:
                    self._give_up(host)
            try:
                await self._renew_once()
            except StorageError as error:
                logger.debug("grants are not renewed: %s", error)

    async def _renew_once(self) -> None:
        kept = {KEY_PREFIX + host: grant for host, grant in self._grants.items() if grant.is_kept}
        if not kept:
            return
        asked_at = self._clock()
        contested = await self._exchange.renew(list(kept))
        for key, grant in kept.items():
            host = key.removeprefix(KEY_PREFIX)
            if self._grants.get(host) is not grant:
                continue
            if key not in contested:  # its grant had ended, and another process has the host
                grant.until, grant.is_contested = 0.0, True
                if not grant.in_use:  # else its request may still bring a pause, which the release stores
                    del self._grants[host]
                continue
            grant.until = asked_at + (1 - MARGIN) * self._timing.kept
            grant.is_contested = contested[key]
            if grant.is_contested and not grant.in_use:
                self._give_up(host)

    def _start(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _shifted(moment: datetime | None, shift: timedelta) -> datetime | None:
    return moment + shift if moment is not None else None
