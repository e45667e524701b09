"""The one component that owns the delay of a host: requests to it wait in one queue and are sent one at a time.

Page, feed, redirect target, retry and robots.txt are all requests: they all come through `HostThrottle.turn`, which the
downloader holds from before a connection is opened until the answer is complete. What happens to a host's delay is
decided in newscrawl.scheduling.host; here is only the waiting.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final, Protocol

from newscrawl.crawling.refusals import Refused
from newscrawl.errors import StorageError
from newscrawl.identity import registrable_domain
from newscrawl.identity.domains import one_address
from newscrawl.scheduling.host import (
    MAX_JITTER,
    HostPolicy,
    HostState,
    after_response,
    after_unanswered,
    delay_of,
    is_resting,
    next_request_at,
    resumed,
    with_crawl_delay,
)

RESTING: Final = "politeness/host_resting"
STOPPED: Final = "crawl/stopped"
UNWRITTEN: Final = "storage/unavailable"

LOOK_AGAIN: Final = 0.5
"""Seconds between two looks at whether the crawl has been stopped while a request waits."""

CLAIM_AGAIN: Final = 0.1
"""Seconds between two attempts to claim a host that another process asks now."""

MAX_AUTHORITIES: Final = 64
"""Authorities of one domain whose Crawl-delay is remembered: the longest ones."""

MAX_HOSTS: Final = 20_000
"""Hosts whose state is kept in memory; the longest known of those that nobody waits for are forgotten first."""


class HostMemory(Protocol):
    """Where host states outlive a crawl."""

    async def load(self, host: str) -> HostState | None:
        """The state last saved for this host, or None."""

    async def claim(self, host: str, known: HostState, now: datetime) -> HostState | None:
        """Take the host for one request, until `release`. Returns the state after what other processes did: the very
        `known` when they did nothing; None while one of them has a request out (nothing is to be released then)."""

    def release(self, host: str) -> None:
        """The request that the host was claimed for is over, or is not sent."""

    async def begin(self, host: str, state: HostState, delay: float) -> None:
        """A request is about to be sent; `delay` is what the next one will have to wait, in seconds. Raises
        StorageError when that cannot be kept: the request is then not sent."""

    async def save(self, host: str, state: HostState) -> None:
        """Keep the state; called after every request, so it must be cheap or defer its work."""

    def forget(self, host: str) -> None:
        """The host is not kept in memory any more."""


class NoHostMemory:
    """The default: every crawl begins without knowing its hosts."""

    async def load(self, host: str) -> HostState | None:
        """Nothing is known."""
        return None

    async def claim(self, host: str, known: HostState, now: datetime) -> HostState | None:
        """There are no other processes."""
        return known

    def release(self, host: str) -> None:
        """There are no other processes."""

    async def begin(self, host: str, state: HostState, delay: float) -> None:
        """Nothing is kept."""

    async def save(self, host: str, state: HostState) -> None:
        """Nothing is kept."""

    def forget(self, host: str) -> None:
        """Nothing was kept."""


class SteadyClock:
    """Aware UTC time that never jumps within a process: the wall clock once, from then on the monotonic one."""

    def __init__(self) -> None:
        self._started = datetime.now(UTC)
        self._origin = monotonic()

    def __call__(self) -> datetime:
        return self._started + timedelta(seconds=monotonic() - self._origin)


class Unanswered(Exception):
    """The request met a kept connection that the host was closing: no failure of the host."""


@dataclass(slots=True)
class RequestResult:
    """What a request ended with; the holder of a turn fills it in. Left alone, it is a network error."""

    status: int | None = None
    retry_after: str | None = None
    held_up: timedelta = timedelta()
    """How long the holder waited for something of ours before it asked the host: no part of the host's latency."""


@dataclass(slots=True)
class _HostQueue:
    state: HostState
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    known: bool = False
    users: int = 0
    """Requests that wait here or are out."""
    asked: dict[str, float] = field(default_factory=dict)
    """The Crawl-delay of each authority of the domain."""


def host_key(host_or_url: str) -> str:
    """The unit of politeness: the registrable domain, since one owner runs all of its hosts, ports and schemes. An IP
    address is one host in all of its spellings."""
    return one_address(registrable_domain(host_or_url))


def random_stretch() -> float:
    """A jitter factor between 1 and `MAX_JITTER`."""
    return random.uniform(1.0, MAX_JITTER)  # noqa: S311  not a secret


class HostThrottle:
    """All hosts of a process, each with its state and its queue; requests to one host never hold up another's.

    `policy` and `stopped` are those of the crawls that bring none of their own.
    """

    def __init__(
        self,
        policy: HostPolicy,
        *,
        memory: HostMemory | None = None,
        now: Callable[[], datetime] | None = None,
        jitter: Callable[[], float] = random_stretch,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.policy = policy
        self.memory: HostMemory = memory or NoHostMemory()
        self._now = now or SteadyClock()
        self._jitter = jitter
        self._stopped = stopped
        self._queues: dict[str, _HostQueue] = {}

    def __len__(self) -> int:
        """How many hosts are kept in memory."""
        return len(self._queues)

    def state(self, key: str) -> HostState:
        """What is known of a host now."""
        return self._queue_of(key).state

    def resting_until(self, key: str) -> datetime | None:
        """When a host may be asked again that asked for more rest than a round waits; None for any other."""
        state, now = self._queue_of(key).state, self._now()
        return next_request_at(state, self.policy, now) if is_resting(state, self.policy, now) else None

    def set_crawl_delay(self, key: str, crawl_delay: float | None, authority: str = "") -> None:
        """Honour the Crawl-delay (seconds, None for none) of one authority of the domain, from the next request on. The
        largest of the domain's authorities counts, so None can also speed the host up."""
        queue = self._queue_of(key)
        queue.asked.pop(authority, None)
        if crawl_delay:
            queue.asked[authority] = crawl_delay
        if len(queue.asked) > MAX_AUTHORITIES:
            del queue.asked[min(queue.asked, key=lambda name: queue.asked[name])]
        slowest = max(queue.asked.values(), default=0.0)
        queue.state = with_crawl_delay(replace(queue.state, crawl_delay=0.0), slowest)

    @contextmanager
    def holding_up(self, answer: RequestResult) -> Iterator[None]:
        """Count the time of the block as waiting of ours."""
        began = self._now()
        try:
            yield
        finally:
            answer.held_up += self._now() - began

    @asynccontextmanager
    async def turn(
        self, key: str, policy: HostPolicy | None = None, stopped: Callable[[], bool] | None = None
    ) -> AsyncIterator[RequestResult]:
        """Wait for this host's turn, hold it during the request, and let the answer decide about the next.

        Raises Refused: `politeness/host_resting` when the wait would be longer than this round, `crawl/stopped` when
        the crawl ends while waiting, `storage/unavailable` when the request could not be noted before it is sent.
        A holder that raises `Unanswered` ends its turn without a failure of the host.
        """
        queue = self._queue_of(key)
        policy = policy or self.policy
        self._refuse_resting(key, queue, policy)
        queue.users += 1
        try:
            async with queue.lock:
                await self._wait(key, queue, policy, stopped or self._stopped)
                try:
                    started = await self._begin(key, queue, policy)
                    async with self._answered(key, queue, policy, started) as answer:
                        yield answer
                finally:
                    self.memory.release(key)
        finally:
            queue.users -= 1

    @asynccontextmanager
    async def _answered(
        self, key: str, queue: _HostQueue, policy: HostPolicy, started: datetime
    ) -> AsyncIterator[RequestResult]:
        """The request, and what its answer says about the next."""
        answer = RequestResult()
        try:
            yield answer
        except Refused:
            raise  # by the guard: the host was not asked, so it has not answered badly
        except Unanswered:
            queue.state = after_unanswered(queue.state, self._now())
            await self.memory.save(key, queue.state)
            raise
        except BaseException:
            await self._end(key, queue, policy, started, RequestResult(held_up=answer.held_up))
            raise
        await self._end(key, queue, policy, started, answer)

    async def _begin(self, key: str, queue: _HostQueue, policy: HostPolicy) -> datetime:
        """Notes the request before it is sent: whoever kills this process is followed by one that knows of it."""
        now = self._now()
        state = replace(queue.state, last_request_at=now)
        try:
            await self.memory.begin(key, state, delay_of(state, policy))
        except StorageError as error:
            raise Refused(UNWRITTEN, f"the request could not be noted: {error}") from error
        return self._now()

    async def _end(
        self, key: str, queue: _HostQueue, policy: HostPolicy, started: datetime, answer: RequestResult
    ) -> None:
        now = self._now()
        queue.state = after_response(
            queue.state,
            policy,
            status=answer.status,
            retry_after=answer.retry_after,
            latency=(now - started - answer.held_up).total_seconds(),
            now=now,
        )
        await self.memory.save(key, queue.state)

    async def _wait(self, key: str, queue: _HostQueue, policy: HostPolicy, stopped: Callable[[], bool]) -> None:
        """Returns when the next request may be sent, with the host claimed for it."""
        if not queue.known:
            try:
                remembered = await self.memory.load(key)
            except StorageError as error:
                raise Refused(UNWRITTEN, f"what the host asked for is not known: {error}") from error
            if remembered is not None:
                queue.state = with_crawl_delay(resumed(remembered, self._now()), queue.state.crawl_delay)
            queue.known = True
        jitter = self._jitter()
        while True:
            if stopped():
                raise Refused(STOPPED, "the crawl ended before this host's turn came")
            self._refuse_resting(key, queue, policy)
            now = self._now()
            left = (next_request_at(queue.state, policy, now, jitter) - now).total_seconds()
            if left > 0:
                await asyncio.sleep(min(left, LOOK_AGAIN))
                continue
            if await self._claim(key, queue):
                return
            jitter = self._jitter()  # a new one, so that of two processes none is always the second

    async def _claim(self, key: str, queue: _HostQueue) -> bool:
        """Whether the host is claimed for the next request. False when its state has to be looked at again."""
        known = queue.state
        try:
            state = await self.memory.claim(key, known, self._now())
        except StorageError as error:
            raise Refused(UNWRITTEN, f"the host could not be claimed: {error}") from error
        if state is None:
            await asyncio.sleep(CLAIM_AGAIN)
            return False
        if state is known and queue.state is known:
            return True
        self.memory.release(key)
        if state is not known:  # robots.txt may have been read meanwhile
            queue.state = with_crawl_delay(state, queue.state.crawl_delay)
        return False

    def _refuse_resting(self, key: str, queue: _HostQueue, policy: HostPolicy) -> None:
        now = self._now()
        if is_resting(queue.state, policy, now):
            until = next_request_at(queue.state, policy, now)
            raise Refused(RESTING, f"{key} asked for rest until {until:%Y-%m-%d %H:%M} UTC")

    def _queue_of(self, key: str) -> _HostQueue:
        found = self._queues.get(key)
        if found is None:
            found = self._queues[key] = _HostQueue(HostState())
            if len(self._queues) > MAX_HOSTS:
                self._forget_one(key)
        return found

    def _forget_one(self, newest: str) -> None:
        now = self._now()
        for key, queue in self._queues.items():
            if key != newest and not queue.users and next_request_at(queue.state, self.policy, now) <= now:
                del self._queues[key]
                self.memory.forget(key)
                return
