"""One host's requests are sent one at a time; other hosts are not delayed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from patience import PATIENCE

from newscrawl.crawling.downloader.claims import HostClaims
from newscrawl.crawling.downloader.throttle import STOPPED, UNWRITTEN, HostThrottle, host_key
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.runtime.progress import waiting_for
from newscrawl.crawling.scheduling.host import HostPolicy, HostState
from newscrawl.errors import StorageError
from newscrawl.storage.frontier.hosts import Claimed

NOW = datetime(2026, 11, 24, 7, 20, tzinfo=UTC)
SECOND = timedelta(seconds=1)
POLICY = HostPolicy(delay=0.02, first_rest=0.02, first_error=0.02, longest_wait=3600)


def test_a_crawl_says_what_it_waits_for() -> None:
    async def scenario() -> list[str]:
        throttle = HostThrottle(HostPolicy(), now=lambda: NOW)
        queue = throttle._queue_of("harbour.example")
        queue.state = HostState(failures=3, backoff=60.0, last_request_at=NOW)
        unused = waiting_for(throttle.longest_wait(), NOW)
        queue.users = 1
        other = throttle._queue_of("valley.example")
        other.state, other.users = HostState(failures=1, backoff=30.0, last_request_at=NOW), 1
        return [
            unused,
            waiting_for(throttle.longest_wait(), NOW),
            waiting_for(throttle.longest_wait(), NOW + SECOND * 58),
        ]

    end = (NOW + SECOND * 60).strftime("%H:%M:%S")
    waits = f"; waiting for harbour.example: back-off after 3 failed requests, next attempt {end} UTC"
    assert run(scenario()) == ["", waits, ""]


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(coroutine)


class Memory(HostClaims):
    """Claims that are always granted. It keeps what it is given."""

    def __init__(self, **states: HostState) -> None:
        self.states: dict[str, HostState] = dict(states)
        self.waits: dict[str, float] = {}
        self.has_turn = False

    def hold(self, host: str) -> bool:
        return self.has_turn

    async def take(self, host: str, delay: float) -> Claimed | None:
        self.has_turn = True
        return Claimed(self.waits.get(host, 0.0), self.states.get(host, HostState()), is_wanted=False)

    async def ended(self, host: str, state: HostState, delay: float, wait: float) -> None:
        self.states[host], self.waits[host] = state, wait

    def leave(self, host: str) -> None:
        self.has_turn = False

    release = forget = leave


def throttle(**more: Any) -> HostThrottle:
    return HostThrottle(more.pop("policy", POLICY), jitter=more.pop("jitter", lambda: 1.0), **more)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.news.example.co.uk/x", "example.co.uk"),
        ("http://news.example.co.uk:8080/", "example.co.uk"),
        ("https://one.github.io/", "one.github.io"),
        ("http://127.0.0.1:80/", "127.0.0.1"),
        ("http://localhost:1/", "localhost"),
    ],
)
def test_one_owner_is_one_host(url: str, key: str) -> None:
    assert host_key(url) == key


def test_a_request_that_fails_or_is_cancelled_gives_its_turn_back() -> None:
    async def scenario() -> HostState:
        gate = throttle()
        with pytest.raises(OSError, match="lost"):
            async with gate.slot("a"):
                raise OSError("lost")

        begun = asyncio.Event()

        async def hang() -> None:
            async with gate.slot("a"):
                begun.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(hang())
        await begun.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        state = gate.state("a")
        async with gate.slot("a") as answer:
            answer.status = 200
        return state

    assert run(scenario()).failures == 2


def test_a_refusal_by_the_guard_is_not_held_against_the_host() -> None:
    async def scenario() -> HostState:
        gate = throttle()
        with pytest.raises(Refused):
            async with gate.slot("a"):
                raise Refused("security/blocked_address", "inside")
        return gate.state("a")

    assert run(scenario()) == HostState()


def test_a_crawl_that_ends_wakes_those_who_wait() -> None:
    async def scenario() -> str:
        ended = False
        gate = throttle(policy=HostPolicy(delay=3600), stopped=lambda: ended)
        async with gate.slot("a") as answer:
            answer.status = 200

        async def waiting() -> str:
            with pytest.raises(Refused) as refused:
                async with gate.slot("a"):
                    pass
            return refused.value.code

        task = asyncio.create_task(waiting())
        await asyncio.sleep(0.01)
        ended = True
        return await asyncio.wait_for(task, PATIENCE)

    assert run(scenario()) == STOPPED


def test_a_crawl_delay_read_before_the_memory_still_counts() -> None:
    async def scenario() -> float:
        gate = throttle(claims=Memory(a=HostState(backoff=0.01)))
        gate.set_crawl_delay("a", 0.03)
        async with gate.slot("a") as answer:
            answer.status = 200
        return gate.state("a").crawl_delay

    assert run(scenario()) == 0.03


class Away(Memory):
    """A database that refuses claims."""

    async def take(self, host: str, delay: float) -> Claimed | None:
        raise StorageError(f"cannot write to database: {host}")


def test_a_host_of_which_the_database_cannot_tell_is_not_asked() -> None:
    async def ask() -> None:
        async with HostThrottle(HostPolicy(), claims=Away()).slot("a.example"):
            pass

    with pytest.raises(Refused) as refused:
        asyncio.run(ask())
    assert refused.value.code == UNWRITTEN
