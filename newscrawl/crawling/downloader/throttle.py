"""The host throttle, the one component that owns the delay of a host: requests to it wait in one queue and are sent one
at a time.

Page, feed, redirect target, retry and robots.txt are all requests. They all pass `HostThrottle.slot`, which the
downloader holds from before a connection is opened until the answer is complete. newscrawl.crawling.scheduling.host
decides how the delay changes; this module only waits.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from newscrawl.config.catalogue import Config
from newscrawl.crawling.downloader.claims import IDLE, HostClaims
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.scheduling.host import (
    FIRST_ERROR,
    MAX_JITTER,
    HostPolicy,
    HostState,
    after_response,
    after_unanswered,
    claimed,
    delay_of,
    is_resting,
    next_request_at,
    with_crawl_delay,
)
from newscrawl.errors import StorageError
from newscrawl.model.identity import registrable_domain
from newscrawl.model.identity.domains import one_address
from newscrawl.model.times import SteadyClock

RESTING: Final = "politeness/host_resting"
STOPPED: Final = "crawl/stopped"
UNWRITTEN: Final = "storage/unavailable"

LOOK_AGAIN: Final = 0.5
"""Seconds between two checks of whether the crawl has been stopped while a request waits."""

MAX_AUTHORITIES: Final = 64
"""Authorities of one domain whose Crawl-delay is kept: those with the longest."""

MAX_HOSTS: Final = 20_000
"""Hosts whose state is kept in memory. Of those without waiting requests, the oldest are dropped first."""


class Unanswered(Exception):
    """The request was sent on a kept connection that the host was closing. It is no failure of the host."""


@dataclass(slots=True)
class RequestResult:
    """The result of a request. The code that makes the request fills it in; unchanged, it is a network error."""

    status: int | None = None
    retry_after: str | None = None
    own_wait: timedelta = timedelta()
    """Time that the request waited for newscrawl itself before it was sent. It is no part of the host's latency."""


@dataclass(slots=True)
class _HostQueue:
    state: HostState
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    """Requests that wait here or are in progress."""
    crawl_delays: dict[str, float] = field(default_factory=dict)
    """The Crawl-delay of each authority of the domain, in seconds."""


def host_key(host_or_url: str) -> str:
    """Returns the unit of politeness: the registrable domain, because one owner runs all of its hosts, ports and
    schemes. An IP address is one host in all of its spellings."""
    return one_address(registrable_domain(host_or_url))


def random_stretch() -> float:
    """Returns a jitter factor between 1 and `MAX_JITTER`."""
    return random.uniform(1.0, MAX_JITTER)  # noqa: S311  not a secret


class HostThrottle:
    """All hosts of a process, each with its state and its queue. Requests to one host never delay those to another.
    With a database, a request is sent in a turn of its host (`claims`).

    `policy` and `stopped` are for crawls that do not pass their own.
    """

    def __init__(
        self,
        policy: HostPolicy,
        *,
        claims: HostClaims | None = None,
        now: Callable[[], datetime] | None = None,
        jitter: Callable[[], float] = random_stretch,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.policy = policy
        self.claims = claims
        """The turns of the hosts; None if no other process counts."""
        self.now: Callable[[], datetime] = now or SteadyClock()
        self._jitter = jitter
        self._stopped = stopped
        self._queues: dict[str, _HostQueue] = {}

    def __len__(self) -> int:
        """Returns how many hosts are kept in memory."""
        return len(self._queues)

    def state(self, key: str) -> HostState:
        """Returns the present state of a host."""
        return self._queue_of(key).state

    def resting_until(self, key: str) -> datetime | None:
        """Returns when requests to a host are allowed again, if its pause is longer than a crawl waits; else None."""
        state, now = self._queue_of(key).state, self.now()
        return next_request_at(state, self.policy, now) if is_resting(state, self.policy, now) else None

    def longest_wait(self) -> tuple[datetime, str, int] | None:
        """Returns until when requests wait for a host, its key and its failed requests in a row, of the host for which
        they wait the longest; None if none waits."""
        now = self.now()
        waits = (
            (next_request_at(queue.state, self.policy, now), key, queue.state.failures)
            for key, queue in self._queues.items()
            if queue.users
        )
        return max((wait for wait in waits if wait[0] > now), default=None)

    def set_crawl_delay(self, key: str, crawl_delay: float | None, authority: str = "") -> None:
        """Sets the Crawl-delay of one authority (host and port) of the domain, from the next request on.

        The robots middleware calls this whenever it has read or remembered the robots.txt of an authority. `key` is the
        registrable domain (`host_key`), `crawl_delay` is in seconds, None if that robots.txt states none. The largest
        Crawl-delay of the domain's authorities counts, so None may also shorten the delay.
        """
        queue = self._queue_of(key)
        queue.crawl_delays.pop(authority, None)
        if crawl_delay:
            queue.crawl_delays[authority] = crawl_delay
        if len(queue.crawl_delays) > MAX_AUTHORITIES:
            del queue.crawl_delays[min(queue.crawl_delays, key=lambda name: queue.crawl_delays[name])]
        slowest = max(queue.crawl_delays.values(), default=0.0)
        queue.state = with_crawl_delay(replace(queue.state, crawl_delay=0.0), slowest)

    @contextmanager
    def measuring_own_wait(self, answer: RequestResult) -> Iterator[None]:
        """Counts the time of the block as a wait for newscrawl itself."""
        began = self.now()
        try:
            yield
        finally:
            answer.own_wait += self.now() - began

    @asynccontextmanager
    async def slot(
        self, key: str, policy: HostPolicy | None = None, stopped: Callable[[], bool] | None = None
    ) -> AsyncIterator[RequestResult]:
        """Waits until a request to this host may be sent, holds the host during the request, and updates its state.

        Raises Refused: `politeness/host_resting` if the wait would be longer than this crawl waits, `crawl/stopped` if
        the crawl ends while it waits, `storage/unavailable` if the host could not be claimed. A block that raises
        `Unanswered` ends without a failure of the host.
        """
        queue = self._queue_of(key)
        policy = policy or self.policy
        self._refuse_resting(key, queue, policy)
        queue.users += 1
        try:
            async with queue.lock:
                try:
                    await self._wait(key, queue, policy, stopped or self._stopped)
                    async with self._answered(key, queue, policy, self.now()) as answer:
                        yield answer
                finally:
                    if self.claims is not None:
                        self.claims.leave(key)
        finally:
            queue.users -= 1

    @asynccontextmanager
    async def _answered(
        self, key: str, queue: _HostQueue, policy: HostPolicy, started: datetime
    ) -> AsyncIterator[RequestResult]:
        """Yields the result of the request, and updates the host's state by it."""
        answer = RequestResult()
        try:
            yield answer
        except Refused:
            raise  # by the guard: no request was sent, so the host has not failed
        except Unanswered:
            queue.state = after_unanswered(queue.state, self.now())
            await self._note(key, queue, policy)
            raise
        except BaseException:
            await self._end(key, queue, policy, started, RequestResult(own_wait=answer.own_wait))
            raise
        await self._end(key, queue, policy, started, answer)

    async def _end(
        self, key: str, queue: _HostQueue, policy: HostPolicy, started: datetime, answer: RequestResult
    ) -> None:
        now = self.now()
        queue.state = after_response(
            queue.state,
            policy,
            status=answer.status,
            retry_after=answer.retry_after,
            latency=(now - started - answer.own_wait).total_seconds(),
            now=now,
        )
        await self._note(key, queue, policy)

    async def _note(self, key: str, queue: _HostQueue, policy: HostPolicy) -> None:
        if self.claims is not None:
            now = self.now()
            wait = (next_request_at(queue.state, policy, now) - now).total_seconds()
            await self.claims.ended(key, queue.state, delay_of(queue.state, policy), wait)

    async def _wait(self, key: str, queue: _HostQueue, policy: HostPolicy, stopped: Callable[[], bool]) -> None:
        """Returns when the next request may be sent, in the host's turn. A delay is waited for within the turn, so
        that no other process gets the host meanwhile; a pause is not."""
        jitter = self._jitter()
        while True:
            if stopped():
                raise Refused(STOPPED, "the crawl ended while the request waited for its host")
            self._refuse_resting(key, queue, policy)
            now = self.now()
            left = (next_request_at(queue.state, policy, now, jitter) - now).total_seconds()
            if left > IDLE and self.claims is not None:
                self.claims.release(key)
            if left > 0:
                await asyncio.sleep(min(left, LOOK_AGAIN))
            elif self.claims is None or self.claims.hold(key):
                return
            else:
                await self._take(key, queue, policy, self.claims)

    async def _take(self, key: str, queue: _HostQueue, policy: HostPolicy, claims: HostClaims) -> None:
        """Claims the host for a turn, and learns what other processes have left."""
        try:
            answer = await claims.take(key, delay_of(queue.state, policy))
        except StorageError as error:
            raise Refused(UNWRITTEN, f"the host could not be claimed: {error}") from error
        if answer is not None:
            queue.state = claimed(queue.state, answer.state, answer.wait, is_shared=answer.is_wanted, now=self.now())

    def _refuse_resting(self, key: str, queue: _HostQueue, policy: HostPolicy) -> None:
        now = self.now()
        if is_resting(queue.state, policy, now):
            until = next_request_at(queue.state, policy, now)
            raise Refused(RESTING, f"{key} asked for a pause until {until:%Y-%m-%d %H:%M} UTC")

    def _queue_of(self, key: str) -> _HostQueue:
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = _HostQueue(HostState())
            if len(self._queues) > MAX_HOSTS:
                self._forget_one(key)
        return queue

    def _forget_one(self, newest: str) -> None:
        now = self.now()
        for key, queue in self._queues.items():
            if key != newest and not queue.users and next_request_at(queue.state, self.policy, now) <= now:
                del self._queues[key]
                if self.claims is not None:
                    self.claims.forget(key)
                return


def policy_of(config: Config) -> HostPolicy:
    """Returns the host policy of the settings."""
    wanted = config.politeness
    return HostPolicy(
        delay=wanted.delay,
        first_rest=wanted.first_backoff,
        first_error=min(wanted.first_backoff, FIRST_ERROR),
        longest_wait=wanted.max_host_wait,
    )
