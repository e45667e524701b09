"""Work that is done again and again beside the crawls of a process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress


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
