"""A function that sends messages: where it hangs or dies is known, and it waits for a receiver that is slow."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import aclosing, closing
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Any

import pytest
from patience import PATIENCE, under_limits
from pool_work import walk

from newscrawl.errors import WorkerDied
from newscrawl.workers.pool import Lost, PipeTransport, Pool
from newscrawl.workers.processes.forkserver import FOR_PAGES

NAME = "newscrawl-test"


def make_pool(timeout: float = PATIENCE, workers: int = 1) -> Pool:
    return Pool(walk, workers=workers, timeout=timeout, memory=1 << 30, modules=FOR_PAGES, name=NAME)


@pytest.fixture
def pool() -> Iterator[Pool]:
    with closing(make_pool()) as pool:
        yield pool


async def walked(pool: Pool, *steps: str) -> list[Any]:
    """What comes of a walk; last, if it was lost, by what and where."""
    found: list[Any] = []
    try:
        async with aclosing(pool.stream(walk, steps, subject="a walk")) as messages:
            async for message in messages:
                found.append(message)  # noqa: PERF401  what came before a loss counts
    except Lost as lost:
        found.append((lost.failure.code, lost.place))
    return found


def left() -> list[str]:
    return [child.name for child in multiprocessing.active_children() if child.name == NAME]


def test_messages_come_in_order_and_other_jobs_come_after_them(pool: Pool) -> None:
    async def run() -> list[list[Any]]:
        return await asyncio.gather(*(walked(pool, *(f"{name}{n}" for n in range(20))) for name in "abc"))

    assert asyncio.run(run()) == [[f"{name}{n}" for n in range(20)] for name in "abc"]


def test_the_place_at_which_a_walk_dies_or_fails_is_known(pool: Pool) -> None:
    async def run() -> list[list[Any]]:
        walks = (["a", "die"], ["a", "b", "raise"], ["a", "eat", "b"])
        return [await walked(pool, *steps) for steps in walks]

    assert asyncio.run(run()) == [
        ["a", ("extraction/worker_died", 1)],
        ["a", "b", ("extraction/error", 2)],
        ["a", ("extraction/memory", 1)],
    ]


def test_the_place_at_which_a_walk_hangs_is_known_and_each_place_has_a_time_out_of_its_own() -> None:
    expected = ["a", "pause", "pause", "pause", ("extraction/timeout", 4)]

    def tried(timeout: float) -> list[Any]:
        with closing(make_pool(timeout)) as pool:
            return asyncio.run(walked(pool, "a", f"pause {0.4 * timeout}", *[f"pause {0.4 * timeout}"] * 2, "hang"))

    assert under_limits(tried, expected.__eq__) == expected


def test_what_a_walk_does_at_no_place_has_no_time_out() -> None:
    with closing(make_pool(0.3)) as pool:
        assert asyncio.run(walked(pool, "nowhere 1")) == ["nowhere"]


def test_a_worker_waits_for_a_slow_receiver_and_is_not_taken_to_hang() -> None:
    async def run(pool: Pool) -> list[int]:
        found = []
        async with aclosing(pool.stream(walk, ["large"] * 6, subject="a walk")) as messages:
            async for message in messages:
                found.append(len(message))
                await asyncio.sleep(1.0)
        return found

    with closing(make_pool(0.5)) as pool:
        assert asyncio.run(run(pool)) == [3_000_000] * 6


def test_a_walk_whose_receiver_goes_away_is_ended_and_the_next_job_is_done(pool: Pool) -> None:
    async def run() -> list[Any]:
        async with aclosing(pool.stream(walk, ["a", "hang"], subject="a walk")) as messages:
            assert await anext(messages) == "a"
        return await walked(pool, "b")

    assert asyncio.run(run()) == ["b"]
    pool.close()
    assert left() == []


def test_a_walk_whose_worker_is_killed_with_its_parent_has_nothing_to_blame(pool: Pool) -> None:
    async def run() -> list[Any]:
        try:
            async with aclosing(pool.stream(walk, ["who", "hang"], subject="a walk")) as messages:
                worker = await anext(messages)
                for process in (forkserver._forkserver._forkserver_pid, worker):  # type: ignore[attr-defined]
                    os.kill(process, signal.SIGKILL)
                    await asyncio.sleep(0.2)
                await anext(messages)
        except Lost as lost:
            return [lost.place, *await walked(pool, "b")]
        return []

    assert asyncio.run(run()) == [None, "b"]


def test_a_walk_that_always_fails_before_its_first_place_is_given_up_in_the_end(pool: Pool) -> None:
    async def run() -> None:
        for _ in range(20):
            await walked(pool, "nowhere 0", "lost")

    with pytest.raises(WorkerDied, match="find out what kills them"):
        asyncio.run(run())


def echo(pipe: Connection, times: int) -> None:
    """Sends back what comes, reversed, and then closes the pipe."""
    for _ in range(times):
        pipe.send_bytes(pipe.recv_bytes()[::-1])
    pipe.close()


def test_messages_larger_than_the_pipe_arrive_whole_and_in_order_until_the_other_end_closes() -> None:
    messages = [b"ab" * 3_000_000, b"", b"cd", b"ef" * 400_000]
    ours, theirs = multiprocessing.Pipe()
    other = threading.Thread(target=echo, args=(theirs, len(messages)))
    other.start()
    answers: list[bytes] = []

    async def run() -> None:
        lost = asyncio.Event()
        link = PipeTransport(ours, answers.append, lost.set)
        for message in messages:
            link.send(message)
        await asyncio.wait_for(lost.wait(), PATIENCE)
        link.close()

    asyncio.run(run())
    other.join()
    assert answers == [message[::-1] for message in messages]


def test_what_is_sent_to_nobody_is_no_error_but_a_loss() -> None:
    ours, theirs = multiprocessing.Pipe()
    theirs.close()

    async def run() -> None:
        lost = asyncio.Event()
        PipeTransport(ours, print, lost.set).send(b"page" * 1000)
        await asyncio.wait_for(lost.wait(), PATIENCE)

    asyncio.run(run())
