"""Delivers the results of threads to the event loop, one at a time.

A committed batch answers fifty pages at once, and each of them then has work to do. Delivered together, they would
block the loop for as long as all that work takes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, TypeVar

T = TypeVar("T")

POLL_SECONDS: Final = 0.001
"""Seconds between two checks for more results; if there is none then, the next result has to wake the loop. Waking the
loop releases the interpreter lock. Without this pause, the thread that delivers a batch would release the lock, and
wait for it again, with each page."""


class LoopBridge:
    """A bridge for all waiters of an event loop. The loop is woken once, however many results arrive together."""

    def __init__(self) -> None:
        self._arrived: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._woken: asyncio.AbstractEventLoop | None = None
        """The loop that checks for more results without being woken."""

    async def result_of(self, future: Future[T]) -> T:
        """Returns the result of the future. Unlike `asyncio.wrap_future`, cancelling the waiter cancels nothing
        else."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()
        future.add_done_callback(partial(self._arrives, loop, waiting))
        return await waiting

    def _arrives(self, loop: asyncio.AbstractEventLoop, waiting: asyncio.Future[Any], future: Future[Any]) -> None:
        """Hands a result over to the loop. Runs in the thread that resolves the future."""
        self._arrived.append((waiting, future))
        if self._woken is not loop and not loop.is_closed():
            self._woken = loop
            loop.call_soon_threadsafe(self._deliver, loop)

    def _deliver(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._arrived:
            loop.call_soon(self._deliver, loop)
            self._copy_result(*self._arrived.popleft())
        else:
            loop.call_later(POLL_SECONDS, self._stop_polling, loop)

    def _stop_polling(self, loop: asyncio.AbstractEventLoop) -> None:
        """Requires the next result to wake the loop, unless one has arrived since the last check."""
        self._woken = None  # before the check: a result that a thread adds later wakes the loop again
        if self._arrived:
            self._woken = loop
            loop.call_soon(self._deliver, loop)

    @staticmethod
    def _copy_result(waiting: asyncio.Future[Any], future: Future[Any]) -> None:
        if waiting.done():
            return  # the waiter was cancelled
        error = future.exception()
        if error is None:
            waiting.set_result(future.result())
        else:
            waiting.set_exception(error)
