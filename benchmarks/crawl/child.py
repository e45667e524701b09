"""A crawl of a local server that measures itself. `python -m benchmarks.crawl` starts each one in a new process.

    python -m benchmarks.crawl.child '{"port": 8000, "sites": 40, "pages": 50, "settings": {}}'

Its last line is a JSON object: pages, seconds, CPU seconds of this process, event-loop lag, memory.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import threading
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from newscrawl.crawling.runtime.process import make_process, run_spider
from newscrawl.crawling.spider.responses import raw_page
from newscrawl.model import RawPage

TICK: Final = 0.01
"""Seconds between two looks at how late the event loop is."""
WARM: Final = 0.1
"""Part of the pages after which lag and memory are looked at: workers and connections stand by then."""


class LoadSpider(Spider):
    """Requests every page of every site, the sites in turn, and yields the raw pages."""

    name = "load"

    def __init__(self, port: int, sites: int, pages: int, measure: Measure, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._urls = [
            f"http://site-{site}.localhost:{port}/2026/story-{page}.html"
            for page in range(pages)
            for site in range(sites)
        ]
        self.measure = measure

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> LoadSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.measure.scraped, signal=signals.item_scraped)
        crawler.signals.connect(spider.measure.opened, signal=signals.spider_opened)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        for url in self._urls:
            yield Request(url, self.parse, dont_filter=True)

    async def parse(self, response: Response, **kwargs: Any) -> AsyncIterator[RawPage]:
        yield raw_page(response, requested_url=response.url, site=self.name, discovery=None, now=datetime.now(UTC))


class Measure:
    """Counts finished items. Time and CPU time are those of the whole crawl, from its opening to its last item: what is
    fetched early and stored late counts once. Lag and memory are looked at after the warm-up."""

    def __init__(self, pages: int) -> None:
        self._warm = int(pages * WARM)
        self._pages = 0
        self._begin = self._end = (0.0, 0.0)
        self._lags: list[float] = []
        self._memory: list[int] = []
        self._threads: dict[str, float] = {}
        self._task: asyncio.Task[None] | None = None

    async def opened(self) -> None:
        """Starts the clocks and the measurement of the event loop."""
        self._begin = (time.monotonic(), _cpu())
        self._task = asyncio.get_running_loop().create_task(self._look())

    def scraped(self) -> None:
        """Counts a finished item."""
        self._pages += 1
        if self._pages % 100 == 0:
            self._threads = _threads()
        self._end = (time.monotonic(), _cpu())
        if self._pages == self._warm:
            self._lags.clear()
        if self._pages % 1000 == 0 or self._pages == self._warm:
            self._memory.append(_memory())

    def told(self) -> dict[str, Any]:
        """Returns the figures."""
        lags = sorted(self._lags) or [0.0]
        return {
            "pages": self._pages,
            "seconds": self._end[0] - self._begin[0],
            "cpu_main": self._end[1] - self._begin[1],
            "cpu_process": _cpu(),
            "lag_p50": lags[len(lags) // 2],
            "lag_p99": lags[int(len(lags) * 0.99)],
            "memory": self._memory,
            "threads": self._threads,
        }

    async def _look(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(TICK)
            self._lags.append(time.monotonic() - before - TICK)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _threads() -> dict[str, float]:
    """Returns the CPU seconds of each thread since its start."""
    alive = [thread for thread in threading.enumerate() if thread.ident is not None]
    clocks = {thread.name: time.pthread_getcpuclockid(thread.ident or 0) for thread in alive}
    return {name: round(time.clock_gettime(clock), 2) for name, clock in clocks.items()}


def _memory() -> int:
    """Returns the resident bytes of this process."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()


def main() -> None:
    """Runs one measured crawl with the options of the argument."""
    task = json.loads(sys.argv[1])
    measure = Measure(task["sites"] * task["pages"])
    process = make_process({"LOG_LEVEL": "ERROR", "NEWSCRAWL_PROGRESS": False, **task["settings"]})
    load = {name: task[name] for name in ("port", "sites", "pages")}
    crawler = run_spider(process, LoadSpider, **load, measure=measure)
    stats = crawler.stats.get_stats() if crawler.stats else {}
    outcomes = {name: number for name, number in stats.items() if name.startswith(("outcome/", "download/"))}
    print(json.dumps({**measure.told(), "outcomes": outcomes}))


if __name__ == "__main__":
    main()
