"""Where the event loop takes in what threads have done for it, one at a time.

A batch that is committed answers fifty pages at once, and each of them has work to do then: taken in together they
would keep the loop from everything else for as long as all of that takes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, TypeVar

T = TypeVar("T")

MORE_SECONDS: Final = 0.001
"""How soon more answers are looked for before the loop has to be woken again. Waking it lets go of the interpreter: the
thread that answers for a batch would do so, and wait for it, with each page."""


class LoopBridge:
    """One for all that wait in an event loop. However many answers come together, the loop is woken once."""

    def __init__(self) -> None:
        self._arrived: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._woken: asyncio.AbstractEventLoop | None = None
        """The loop that will look for more by itself."""

    async def result_of(self, future: Future[T]) -> T:
        """What the future gives; as `asyncio.wrap_future`, but that giving up waiting cancels nothing."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()
        future.add_done_callback(partial(self._arrives, loop, waiting))
        return await waiting

    def _arrives(self, loop: asyncio.AbstractEventLoop, waiting: asyncio.Future[Any], future: Future[Any]) -> None:
        """In the thread that answers."""
        self._arrived.append((waiting, future))
        if self._woken is not loop and not loop.is_closed():
            self._woken = loop
            loop.call_soon_threadsafe(self._take_in, loop)

    def _take_in(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._arrived:
            loop.call_soon(self._take_in, loop)
            self._settle(*self._arrived.popleft())
        else:
            loop.call_later(MORE_SECONDS, self._rest, loop)

    def _rest(self, loop: asyncio.AbstractEventLoop) -> None:
        self._woken = None  # before looking: what a thread adds after that wakes the loop again
        if self._arrived:
            self._woken = loop
            loop.call_soon(self._take_in, loop)

    @staticmethod
    def _settle(waiting: asyncio.Future[Any], future: Future[Any]) -> None:
        if waiting.done():
            return  # who waited has been cancelled
        error = future.exception()
        if error is None:
            waiting.set_result(future.result())
        else:
            waiting.set_exception(error)
