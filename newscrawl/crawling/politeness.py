"""The one component that owns the delay of a host: every request to it passes this turnstile, one at a time.

Page, feed, redirect target, retry and robots.txt are all requests: they all come through `Turnstiles.turn`, which the
downloader holds from before a connection is opened until the answer is complete. What happens to a host's delay is
decided in newscrawl.scheduling.host; here is only the waiting.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final, Protocol

from newscrawl.crawling.refusals import Refused
from newscrawl.identity import registrable_domain
from newscrawl.scheduling.host import (
    MAX_JITTER,
    HostPolicy,
    HostState,
    after_response,
    is_resting,
    next_request_at,
    resumed,
    with_crawl_delay,
)

RESTING: Final = "politeness/host_resting"
STOPPED: Final = "crawl/stopped"

LOOK_AGAIN: Final = 0.5
"""Seconds between two looks at whether the crawl has been stopped while a request waits."""


class HostMemory(Protocol):
    """Where host states outlive a crawl."""

    async def load(self, host: str) -> HostState | None:
        """The state last saved for this host, or None."""

    async def save(self, host: str, state: HostState) -> None:
        """Keep the state; called after every request, so it must be cheap or defer its work."""


class NoHostMemory:
    """The default: every crawl begins without knowing its hosts."""

    async def load(self, host: str) -> HostState | None:
        """Nothing is known."""
        return None

    async def save(self, host: str, state: HostState) -> None:
        """Nothing is kept."""


class SteadyClock:
    """Aware UTC time that never jumps within a process: the wall clock once, from then on the monotonic one."""

    def __init__(self) -> None:
        self._started = datetime.now(UTC)
        self._origin = monotonic()

    def __call__(self) -> datetime:
        return self._started + timedelta(seconds=monotonic() - self._origin)


@dataclass(slots=True)
class Answer:
    """What a request ended with; the holder of a turn fills it in. Left alone, it is a network error."""

    status: int | None = None
    retry_after: str | None = None


@dataclass(slots=True)
class _Turnstile:
    state: HostState
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    known: bool = False


def host_key(host_or_url: str) -> str:
    """The unit of politeness: the registrable domain, since one owner runs all of its hosts, ports and schemes."""
    return registrable_domain(host_or_url)


def random_stretch() -> float:
    """A jitter factor between 1 and `MAX_JITTER`."""
    return random.uniform(1.0, MAX_JITTER)  # noqa: S311  not a secret


class Turnstiles:
    """All hosts of a crawl, each with its state and its queue; requests to one host never hold up another's."""

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
        self._turnstiles: dict[str, _Turnstile] = {}

    def state(self, key: str) -> HostState:
        """What is known of a host now."""
        return self._turnstile(key).state

    def slow_down(self, key: str, crawl_delay: float | None) -> None:
        """Honour a Crawl-delay, in seconds, from the next request on."""
        turnstile = self._turnstile(key)
        turnstile.state = with_crawl_delay(turnstile.state, crawl_delay)

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[Answer]:
        """Wait for this host's turn, hold it during the request, and let the answer decide about the next.

        Raises Refused: `politeness/host_resting` when the wait would be longer than this round, `crawl/stopped` when
        the crawl ends while waiting.
        """
        turnstile = self._turnstile(key)
        self._refuse_resting(key, turnstile)
        async with turnstile.lock:
            await self._wait(key, turnstile)
            started = self._now()
            answer = Answer()
            try:
                yield answer
            except Refused:
                raise  # by the guard: the host was not asked, so it has not answered badly
            except BaseException:
                await self._end(key, turnstile, started, Answer())
                raise
            await self._end(key, turnstile, started, answer)

    async def _end(self, key: str, turnstile: _Turnstile, started: datetime, answer: Answer) -> None:
        now = self._now()
        turnstile.state = after_response(
            turnstile.state,
            self.policy,
            status=answer.status,
            retry_after=answer.retry_after,
            latency=(now - started).total_seconds(),
            now=now,
        )
        await self.memory.save(key, turnstile.state)

    async def _wait(self, key: str, turnstile: _Turnstile) -> None:
        if not turnstile.known:
            remembered = await self.memory.load(key)
            if remembered is not None:
                turnstile.state = with_crawl_delay(resumed(remembered, self._now()), turnstile.state.crawl_delay)
            turnstile.known = True
        jitter = self._jitter()
        while True:
            if self._stopped():
                raise Refused(STOPPED, "the crawl ended before this host's turn came")
            self._refuse_resting(key, turnstile)
            now = self._now()
            left = (next_request_at(turnstile.state, self.policy, now, jitter) - now).total_seconds()
            if left <= 0:
                return
            await asyncio.sleep(min(left, LOOK_AGAIN))

    def _refuse_resting(self, key: str, turnstile: _Turnstile) -> None:
        now = self._now()
        if is_resting(turnstile.state, self.policy, now):
            until = next_request_at(turnstile.state, self.policy, now)
            raise Refused(RESTING, f"{key} asked for rest until {until:%Y-%m-%d %H:%M} UTC")

    def _turnstile(self, key: str) -> _Turnstile:
        return self._turnstiles.setdefault(key, _Turnstile(HostState()))
