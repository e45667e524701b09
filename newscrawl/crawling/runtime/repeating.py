"""Work that is done again and again beside the crawls of a process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from newscrawl.config.logs.lines import SaidOnce
from newscrawl.errors import NewscrawlError

GoesOn = Callable[[], bool]
"""Tells work in a thread whether it goes on; it ends within seconds once this returns False."""


@asynccontextmanager
async def repeating(
    every: float, work: Callable[[], Awaitable[object]], *, first: float | None = None, finishes: bool = True
) -> AsyncIterator[None]:
    """Awaits `work()` every so many seconds until the block is left, the first time after `first` seconds if that is
    given. At the end it waits for work in progress, which without `finishes` is cancelled. An error of `work` ends the
    repetition and is raised at the end of the block."""
    stop = asyncio.Event()

    async def again_and_again() -> None:
        wait = every if first is None else first
        while True:
            try:
                async with asyncio.timeout(wait):
                    await stop.wait()
            except TimeoutError:
                wait = every
                await work()
            else:
                return

    task = asyncio.get_running_loop().create_task(again_and_again())
    try:
        yield
    finally:
        stop.set()
        if finishes:
            await task
        else:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@asynccontextmanager
async def working(
    every: float,
    work: Callable[[GoesOn], Awaitable[object]],
    said: SaidOnce,
    *,
    first: float | None = None,
    finish: bool = False,
) -> AsyncIterator[None]:
    """Awaits `work` again and again, as `repeating` does. It is told to end when the block is left; with `finish` it is
    not, and is awaited once more then. An error of newscrawl or of the system is logged by `said`, and work goes on."""
    stopped = threading.Event()

    async def once() -> None:
        try:
            await work(lambda: not stopped.is_set())
        except (NewscrawlError, OSError) as error:
            said.failed(error)
        else:
            said.worked()

    try:
        async with repeating(every, once, first=first):
            try:
                yield
            finally:
                if not finish:
                    stopped.set()
    finally:
        if finish:
            await once()
