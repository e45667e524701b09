"""Turns of hosts: at most one process sends requests to a host, however many processes and machines use one database.

A turn lasts `TURN` seconds. It is claimed by one statement (newscrawl.storage.frontier.hosts), renewed while there are
requests, and released after `IDLE` seconds without one. Within it no row is written, except after an answer that asks
for a pause. While another process wants the host as well, a turn ends with each request.

The database's clock measures turns. This process measures by its own steady clock until when it may still begin a
request: a request that begins at the last moment ends before the turn does in the database. So a process that was
stopped, or cut off from the database, sends nothing after another may have the host.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from newscrawl.crawling.runtime.site_lease import MARGIN, steady_seconds
from newscrawl.crawling.scheduling.host import HostState
from newscrawl.errors import DatabaseUnavailable, StorageError
from newscrawl.storage.frontier import hosts
from newscrawl.storage.frontier.hosts import Claimed, HostNote
from newscrawl.storage.store import Store
from newscrawl.workers.processes.process_names import PART, is_dead, this_process

logger = logging.getLogger(__name__)

TURN: Final = 20.0
"""Seconds of a turn. With a shorter lease of sites it is a third of that."""

IDLE: Final = 10.0
"""Seconds without a request after which a turn is released."""

LATE: Final = 5.0
"""Seconds by which a turn lasts longer in the database than its requests, because a time-out may be noticed late."""

AGAIN: Final = 0.2
"""Seconds between two claims of a host that another process has."""

YIELDED: Final = 0.3
"""Seconds by which this process claims a host later than its delay allows if another process wants it: longer than
`AGAIN`, so that the other one gets it."""

AWAY: Final = 1.0
"""Seconds between two attempts while the database does not answer."""

_numbers: Final = itertools.count()
"""Of the claims of this process: several crawls of one process, each with its own throttle, share hosts as several
processes do."""

ADDRESS: Final = "address:"
"""Begins the throttle's key of an IP address; all other keys are registrable domains."""


def row_key(host: str) -> str:
    """Returns the key in the table `hosts` of a key of the throttle."""
    return host if host.startswith(ADDRESS) else f"domain:{host}"


@dataclass(slots=True)
class _Turn:
    """Moments are those of the steady clock."""

    until: float
    """When the last request may begin."""
    delay: float
    is_wanted: bool
    free_at: float
    """When the delay and the pause of the latest request are over."""
    used_at: float
    in_use: bool = False
    state: HostState | None = None
    """The state after the latest request; None before the first."""
    requests: int = 0
    """Requests that are not counted in the database yet."""
    is_troubled: bool = False
    """Whether the row says that the host fails."""


@dataclass(slots=True)
class _Note:
    """A note that is not written yet. `free_at` is as that of a turn."""

    note: HostNote
    free_at: float
    written: asyncio.Future[None]


class HostClaims:
    """The turns of this process. It is used in the event loop only.

    `lease` is for how long the process keeps the lease of a site without a renewal, and `request` how long a request
    may last, in seconds.
    """

    def __init__(
        self,
        store: Store,
        *,
        lease: float,
        request: float,
        owner: str | None = None,
        clock: Callable[[], float] = steady_seconds,
    ) -> None:
        self._store = store
        self._owner = owner or f"{this_process()}{PART}{next(_numbers)}"
        self._clock = clock
        self._seconds = min(TURN, lease / 3)
        self._span = self._seconds + request + LATE
        self._turns: dict[str, _Turn] = {}
        self._not_before: dict[str, float] = {}
        """When hosts that others want may be claimed again."""
        self._asked: dict[str, tuple[float, asyncio.Future[Claimed | None]]] = {}
        """Hosts to claim, each with this process's whole delay."""
        self._notes: dict[str, _Note] = {}
        self._running: asyncio.Task[None] | None = None
        self._renewing: asyncio.Task[None] | None = None

    @property
    def is_away(self) -> bool:
        """Whether the database does not answer, so that no host can be claimed."""
        return self._store.is_away

    def hold(self, host: str) -> bool:
        """Returns whether this process has the host's turn, which then lasts until `leave`."""
        turn = self._turns.get(host)
        if turn is None or self._clock() >= turn.until:
            return False
        turn.in_use = True
        return True

    async def take(self, host: str, delay: float) -> Claimed | None:
        """Claims the host for a turn, which then lasts until `leave`. Returns None, after a moment, if another process
        has it or the database does not answer. `delay` is this process's whole delay between two requests, in seconds.
        Raises StorageError."""
        wait = self._not_before.get(host, 0.0) - self._clock()
        if wait > 0:
            await asyncio.sleep(min(wait, AGAIN))
            return None
        self.release(host)  # a turn that has run out: another process may have had the host since
        self._not_before.pop(host, None)
        try:
            answer = await asyncio.shield(self._claim(host, delay))
        except DatabaseUnavailable:
            await asyncio.sleep(AWAY)
            return None
        turn = self._turns.get(host)
        if answer is None or turn is None:
            await asyncio.sleep(AGAIN)
            return None
        turn.in_use = True
        return answer

    def may_send(self, host: str) -> bool:
        """Returns whether the bytes of a request to the host may be written now."""
        turn = self._turns.get(host)
        return turn is not None and turn.in_use and self._clock() < turn.until

    async def ended(self, host: str, state: HostState, delay: float, wait: float) -> None:
        """Notes that a request has ended: the next one may follow after `wait` seconds, of which `delay` is the usual
        part. If the host fails, or did so before, it returns once that is stored, or could not be within a turn."""
        turn, now = self._turns.get(host), self._clock()
        is_failing = bool(state.failures or state.backoff)
        if turn is None:  # it was lost meanwhile; only a pause still matters
            note = self._note(host, HostNote(row_key(host), wait, None, 1), now + wait)
        else:
            turn.state, turn.delay, turn.used_at, turn.free_at = state, delay, now, now + wait
            turn.requests += 1
            if not is_failing and not turn.is_troubled:
                return
            turn.is_troubled = is_failing
            note = self._note_turn(host, turn, is_released=False)
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(note.written), self._seconds)

    def leave(self, host: str) -> None:
        """Ends the use of a turn by a request. The turn ends with it if another process wants the host."""
        turn = self._turns.get(host)
        if turn is None or not turn.in_use:
            return
        turn.in_use, turn.used_at = False, self._clock()
        if turn.is_wanted:
            self.release(host)

    def release(self, host: str) -> None:
        """Ends the turn, if there is one."""
        turn = self._turns.pop(host, None)
        if turn is None:
            return
        if turn.is_wanted:
            self._not_before[host] = turn.free_at + YIELDED
        self._note_turn(host, turn, is_released=True)

    def forget(self, host: str) -> None:
        """Drops what is known of a host whose state is no longer kept in memory, and ends its turn."""
        self.release(host)
        self._not_before.pop(host, None)

    async def close(self) -> None:
        """Ends all turns. Hosts that could not be released become free when their turns end."""
        for host in list(self._turns):
            self.release(host)
        for task in (self._renewing, self._running):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        if self._notes:
            try:
                await self._exchange()
            except StorageError as error:
                logger.warning("%d hosts are not released, their turns will end: %s", len(self._notes), error)
        for note in self._notes.values():
            note.written.cancel()

    def _note_turn(self, host: str, turn: _Turn, *, is_released: bool) -> _Note:
        wait = max(turn.free_at - self._clock(), 0.0)
        note = HostNote(row_key(host), wait, turn.state, turn.requests, is_released)
        turn.requests = 0
        return self._note(host, note, turn.free_at)

    def _note(self, host: str, note: HostNote, free_at: float) -> _Note:
        """Sends a note soon. It is sent again until the database has it."""
        earlier = self._notes.get(host)
        written = earlier.written if earlier is not None else asyncio.get_running_loop().create_future()
        if earlier is not None:
            note = _both(earlier.note, note)
            free_at = max(free_at, earlier.free_at)
        found = self._notes[host] = _Note(note, free_at, written)
        self._wake()
        return found

    def _claim(self, host: str, delay: float) -> asyncio.Future[Claimed | None]:
        """Claims or renews a turn soon. The future gets the answer, None for a claim that was refused."""
        if host not in self._asked:
            self._asked[host] = delay, asyncio.get_running_loop().create_future()
            self._wake()
        return self._asked[host][1]

    def _wake(self) -> None:
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Exchanges notes and claims until nothing waits: what comes meanwhile goes into the next transaction."""
        while self._asked or self._notes:
            try:
                await self._exchange()
            except StorageError as error:
                logger.debug("hosts are not claimed or released: %s", error)
                if not self._asked:
                    await asyncio.sleep(AWAY)

    async def _exchange(self) -> None:
        notes, self._notes = self._notes, {}
        asked, self._asked = self._asked, {}
        now = self._clock()
        sent = [replace(one.note, wait=max(one.free_at - now, 0.0)) for one in notes.values()]
        claims = {row_key(host): delay for host, (delay, _) in asked.items()}
        try:
            run = self._store.at_once(hosts.exchange, self._owner, sent, claims, self._span, is_dead)
            answers = await asyncio.wrap_future(run)
        except BaseException as error:
            for host, one in notes.items():
                self._put_back(host, one)
            for _, future in asked.values():
                if not isinstance(error, StorageError):
                    future.cancel()
                elif not future.done():
                    future.set_exception(error)
                    future.exception()  # nobody may wait for it
            raise
        for one in notes.values():
            _resolve(one.written)
        for host, (delay, future) in asked.items():
            answer = self._answered(host, delay, answers.get(row_key(host)), now)
            if not future.done():
                future.set_result(answer)

    def _answered(self, host: str, delay: float, answer: Claimed | None, asked_at: float) -> Claimed | None:
        """Begins or renews the turn of a claim that was granted. Returns the answer; None without a turn."""
        turn, note = self._turns.get(host), self._notes.get(host)
        if answer is None or (note is not None and note.note.is_released):  # or it was released meanwhile
            if turn is not None:  # it had ended, and another process has the host
                turn.until = 0.0
            return None
        until = asked_at + (1 - MARGIN) * self._seconds
        if turn is None:
            now = self._clock()
            is_troubled = bool(answer.state.failures or answer.state.backoff)
            free_at = now + max(answer.wait, 0.0)
            self._turns[host] = _Turn(until, delay, answer.is_wanted, free_at, now, is_troubled=is_troubled)
            if self._renewing is None or self._renewing.done():
                self._renewing = asyncio.get_running_loop().create_task(self._renew())
            return answer
        turn.until, turn.is_wanted = until, answer.is_wanted
        if turn.is_wanted and not turn.in_use:
            self.release(host)
        return answer

    def _put_back(self, host: str, earlier: _Note) -> None:
        later = self._notes.get(host)
        if later is None:
            self._notes[host] = earlier
            return
        later.written.add_done_callback(lambda _: _resolve(earlier.written))
        self._notes[host] = _Note(_both(earlier.note, later.note), max(earlier.free_at, later.free_at), later.written)

    async def _renew(self) -> None:
        """Renews the turns as long as there are any, and releases those that are idle."""
        while self._turns:
            await asyncio.sleep(self._seconds / 6)
            now = self._clock()
            for host, turn in list(self._turns.items()):
                if not turn.in_use and now >= turn.used_at + IDLE:
                    self.release(host)
            if any(turn.until - now < self._seconds / 3 for turn in self._turns.values()):
                for host, turn in self._turns.items():
                    self._claim(host, turn.delay)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _both(earlier: HostNote, later: HostNote) -> HostNote:
    """Returns the note that has the same result as two notes of a host, one after the other."""
    return replace(
        later,
        state=later.state or earlier.state,
        requests=earlier.requests + later.requests,
        is_released=earlier.is_released or later.is_released,
    )
