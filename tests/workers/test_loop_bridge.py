"""Results of threads are taken in one at a time, and the loop is woken once for results that come together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread

import pytest
from patience import PATIENCE

from newscrawl.errors import StorageError
from newscrawl.workers.loop_bridge import POLL_SECONDS, LoopBridge


def in_a_thread(work: Callable[[], object]) -> None:
    thread = Thread(target=work)
    thread.start()
    thread.join()


def test_a_batch_that_is_answered_at_once_is_taken_in_little_by_little() -> None:
    async def run() -> list[int]:
        bridge, futures = LoopBridge(), [Future[int]() for _ in range(9)]
        waiting = [asyncio.ensure_future(bridge.result_of(future)) for future in futures]
        await asyncio.sleep(0)
        in_a_thread(lambda: [future.set_result(number) for number, future in enumerate(futures)])
        steps = []
        while not all(task.done() for task in waiting):
            await asyncio.sleep(0)
            steps.append(sum(task.done() for task in waiting))
        assert [await task for task in waiting] == list(range(len(futures)))
        return steps

    steps = asyncio.run(run())
    assert max(later - earlier for earlier, later in zip([0, *steps], steps, strict=False)) == 1


def test_errors_arrive_where_they_are_waited_for() -> None:
    async def run() -> None:
        bridge = LoopBridge()
        future = Future[int]()
        waiting = asyncio.ensure_future(bridge.result_of(future))
        await asyncio.sleep(0)
        in_a_thread(lambda: future.set_exception(StorageError("the disk is full")))
        with pytest.raises(StorageError, match="the disk is full"):
            await waiting

    asyncio.run(run())


def test_what_is_done_already_is_taken_in_too() -> None:
    async def run() -> int:
        future = Future[int]()
        future.set_result(7)
        return await LoopBridge().result_of(future)

    assert asyncio.run(run()) == 7


def test_who_gave_up_waiting_keeps_nobody_else_from_an_answer() -> None:
    async def run() -> int:
        bridge, gone, kept = LoopBridge(), Future[int](), Future[int]()
        giving_up, waiting = (
            asyncio.ensure_future(bridge.result_of(gone)),
            asyncio.ensure_future(bridge.result_of(kept)),
        )
        await asyncio.sleep(0)
        giving_up.cancel()
        await asyncio.sleep(0)
        in_a_thread(lambda: [future.set_result(2) for future in (gone, kept)])
        return await waiting

    assert asyncio.run(run()) == 2


def test_an_answer_after_the_loop_has_ended_is_dropped() -> None:
    future = Future[int]()

    async def run() -> None:
        asyncio.ensure_future(LoopBridge().result_of(future)).cancel()
        waiting = asyncio.ensure_future(LoopBridge().result_of(future))
        await asyncio.sleep(0)
        waiting.cancel()

    asyncio.run(run())
    future.set_result(1)


def test_the_loop_is_woken_once_for_answers_that_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> tuple[int, int]:
        loop, woken = asyncio.get_running_loop(), []
        wake = loop.call_soon_threadsafe
        monkeypatch.setattr(loop, "call_soon_threadsafe", lambda *work: woken.append(wake(*work)))
        bridge, futures = LoopBridge(), [Future[int]() for _ in range(9)]
        waiting = [asyncio.ensure_future(bridge.result_of(future)) for future in futures]
        await asyncio.sleep(0)
        for future, waits in zip(futures[:-1], waiting, strict=False):
            future.set_result(1)  # as soon as the loop is done with the one before
            await waits
        together = len(woken)
        await asyncio.sleep(20 * POLL_SECONDS)
        futures[-1].set_result(1)
        await waiting[-1]
        return together, len(woken)

    assert asyncio.run(run()) in {(1, 2), (2, 3)}  # two where the machine stood still between two answers


def test_an_error_that_no_future_takes_keeps_nobody_else_from_an_answer() -> None:
    async def run() -> int:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # it is told, as any error of a callback
        bridge, odd, kept = LoopBridge(), Future[int](), Future[int]()
        lost, waiting = asyncio.ensure_future(bridge.result_of(odd)), asyncio.ensure_future(bridge.result_of(kept))
        await asyncio.sleep(0)
        in_a_thread(lambda: (odd.set_exception(StopIteration()), kept.set_result(2)))
        answer = await asyncio.wait_for(waiting, PATIENCE)
        lost.cancel()
        return answer

    assert asyncio.run(run()) == 2


def test_a_second_loop_is_woken_too() -> None:
    bridge = LoopBridge()

    async def run(number: int) -> int:
        future = Future[int]()
        waiting = asyncio.ensure_future(bridge.result_of(future))
        await asyncio.sleep(0)
        in_a_thread(lambda: future.set_result(number))
        return await asyncio.wait_for(waiting, PATIENCE)

    assert [asyncio.run(run(number)) for number in range(3)] == [0, 1, 2]
