"""Scrapy extension that writes down how late the event loop is: one line a look, "time lag", both in seconds.

The file is named by NEWSPROBE_FILE. Of all crawls of a process the first one starts it.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Final, Self

from scrapy import signals
from scrapy.crawler import Crawler

TICK: Final = 0.01
"""Seconds between two looks."""
WRITTEN: Final = 100
"""Looks that are written at once."""

_tasks: list[asyncio.Task[None]] = []


class LagProbe:
    """Starts the looking with the first crawl."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        probe = cls()
        crawler.signals.connect(probe.begin, signal=signals.engine_started)
        return probe

    async def begin(self) -> None:
        """Look until the process ends."""
        if not _tasks:
            _tasks.append(asyncio.get_running_loop().create_task(_look(Path(os.environ["NEWSPROBE_FILE"]))))


async def _look(path: Path) -> None:
    lines: list[str] = []
    while True:
        before = time.monotonic()
        await asyncio.sleep(TICK)
        lines.append(f"{time.time():.3f} {max(0.0, time.monotonic() - before - TICK):.5f}\n")
        if len(lines) >= WRITTEN:
            with path.open("a", encoding="ascii") as file:
                file.write("".join(lines))
            lines.clear()


def lags(path: Path, begin: float, end: float) -> list[float]:
    """What was written between two moments (seconds since 1970)."""
    pairs = (line.split() for line in path.read_text("ascii").splitlines())
    return [float(lag) for at, lag in pairs if begin <= float(at) <= end]
