"""The loop of a crawl serves one event in a turn, and forgets what had come for a socket that is not the same now."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from selectors import EVENT_READ, EVENT_WRITE

import pytest

from newscrawl.crawling.runtime.event_loop import OneAtATime, ShortTurns

Pairs = list[tuple[socket.socket, socket.socket]]


@pytest.fixture
def pairs() -> Iterator[Pairs]:
    with ExitStack() as stack:
        made = [socket.socketpair() for _ in range(5)]
        for one in made:
            for end in one:
                end.setblocking(False)
                stack.enter_context(end)
        yield made


def all_come(selector: OneAtATime, pairs: Pairs) -> None:
    """Each pair's first end is registered under its number, and has something to read."""
    for number, (ours, theirs) in enumerate(pairs):
        selector.register(ours, EVENT_READ, number)
        theirs.send(b"x")


def told(selector: OneAtATime) -> list[object]:
    return [(key.data, events) for key, events in selector.select(0)]


def test_what_comes_together_is_told_one_by_one(pairs: Pairs) -> None:
    with OneAtATime() as selector:
        all_come(selector, pairs)
        turns = [told(selector) for _ in pairs]
    assert all(len(turn) == 1 for turn in turns)
    assert sorted(turn[0] for turn in turns) == [(number, EVENT_READ) for number in range(len(pairs))]  # type: ignore[type-var]


def test_nothing_is_told_when_nothing_has_come(pairs: Pairs) -> None:
    with OneAtATime() as selector:
        selector.register(pairs[0][0], EVENT_READ)
        assert selector.select(0) == []


def test_what_had_come_for_a_socket_that_is_gone_is_not_told(pairs: Pairs) -> None:
    with OneAtATime() as selector:
        all_come(selector, pairs)
        (first, _) = selector.select(0)[0]
        for number, (ours, _) in enumerate(pairs):
            if number != first.data:
                selector.unregister(ours)
        pairs[first.data][0].recv(1)
        assert selector.select(0) == []


def test_what_had_come_is_told_as_it_is_asked_for_now(pairs: Pairs) -> None:
    """A reader that became a writer hears of no bytes; one that still reads hears of them, once more."""
    with OneAtATime() as selector:
        all_come(selector, pairs)
        first = selector.select(0)[0][0].data
        for number, (ours, _) in enumerate(pairs):
            selector.modify(ours, EVENT_WRITE if number % 2 else EVENT_READ | EVENT_WRITE, number)
        pairs[first][0].recv(1)
        turns = sorted(told(selector)[0] for _ in pairs)  # type: ignore[type-var]
    both = EVENT_READ | EVENT_WRITE
    assert turns == [(number, EVENT_WRITE if number % 2 or number == first else both) for number in range(len(pairs))]


def test_what_had_come_is_not_told_to_who_has_the_number_next(pairs: Pairs) -> None:
    """A socket that was closed without a word: the system knows it no more, the selector hears of it too late."""
    with OneAtATime() as selector, socket.socket() as other:
        all_come(selector, pairs)
        first = selector.select(0)[0][0].data
        gone = (first + 1) % len(pairs)
        number = pairs[gone][0].fileno()
        pairs[gone][0].close()
        with suppress(OSError):
            selector.modify(number, EVENT_WRITE)
        with suppress(KeyError):
            selector.unregister(number)
        os.dup2(other.fileno(), number)
        selector.register(number, EVENT_READ, "another")
        turns = [told(selector) for _ in pairs[2:]]
        selector.unregister(number)
        os.close(number)
    assert all(data not in {gone, "another"} for turn in turns for data, _ in turn)


def test_who_is_due_need_not_wait_for_all_that_has_come(pairs: Pairs) -> None:
    happened: list[str] = []

    def read(ours: socket.socket) -> None:
        ours.recv(1)
        happened.append("read")

    async def run() -> None:
        loop = asyncio.get_running_loop()
        for ours, theirs in pairs:
            loop.add_reader(ours, read, ours)
            theirs.send(b"x")
        loop.call_later(0, happened.append, "due")
        for _ in range(3 * len(pairs)):
            await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=ShortTurns) as runner:
        runner.run(run())
    assert happened.count("read") == len(pairs)
    assert happened.index("due") <= 2
