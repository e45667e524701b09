"""Every private name of Scrapy and Twisted that newscrawl uses, in one place.

Those of the download handler are in `download_handler`, which takes 0.2 s of CPU to load. One test names all of both
(tests/crawling/downloader/test_scrapy_internals.py), and the CI runs it with Scrapy's newest release: it says which
names a release has changed. Scrapy's engine may get a throttle of its own (its pull request 6931); then only
`PlainDownloader` changes, since our host throttle does not know Scrapy.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from scrapy.core.downloader import Downloader
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from scrapy.pqueues import DownloaderAwarePriorityQueue, ScrapyPriorityQueue
from scrapy.spiderloader import SpiderLoader


def engine_of(crawler: Crawler | None) -> ExecutionEngine | None:
    """Returns the engine of a crawl, None before it is made. The public name raises an error then."""
    return crawler._engine if crawler is not None else None  # noqa: SLF001


def is_closing(crawler: Crawler) -> bool:
    """Returns whether the engine was asked to close the spider: requests in progress are finished, none is begun."""
    engine = engine_of(crawler)
    slot = engine._slot if engine else None  # noqa: SLF001
    return slot is not None and slot.closing is not None


def counters(crawler: Crawler | None) -> Mapping[str, Any]:
    """Returns the counters of a crawl, empty before it begins."""
    stats = crawler._stats if crawler is not None else None  # noqa: SLF001
    return stats.get_stats() if stats is not None else {}


class PlainDownloader(Downloader):
    """Scrapy's downloader without the delays of its slots: `send` decides when a request is transmitted."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._delay = 0.0
        self._jitter = 0.0
        self.domain_concurrency = 1
        self.per_slot_settings = {}

    @abstractmethod
    def get_slot_key(self, request: Request) -> str:
        """Returns the name of the request's host, of which one request at a time is taken from the queue."""

    @abstractmethod
    async def send(self, request: Request, transmit: Callable[[Request], Awaitable[Response]]) -> Response:
        """Returns the answer to a request, or raises an error. `transmit` sends it at once."""

    async def _enqueue_request(self, request: Request) -> Response:
        return await self.send(request, super()._enqueue_request)

    def begin_next(self) -> None:
        """Has the engine begin the requests that wait, as after the end of one."""
        engine = engine_of(self.crawler)
        slot = engine._slot if engine else None  # noqa: SLF001
        if slot is not None:
            slot.nextcall.schedule()


class OneAtATimeQueue(DownloaderAwarePriorityQueue):
    """The scheduler's queue: each host has at most one request in progress, and hosts take turns.

    Scrapy's own queue hands out a waiting host's requests until they fill CONCURRENT_REQUESTS, so that other hosts get
    none. Here a host's next request stays in the queue, in its order of priority, until the one before it has ended.
    The cost of a request depends on the number of busy hosts, not on how many wait: Scrapy's own queue checks all.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pqueues: OrderedDict[str, ScrapyPriorityQueue] = OrderedDict(self.pqueues)

    def pop(self) -> Request | None:
        """Returns the next request of the host that has waited longest; None if all hosts are busy."""
        downloader = self._downloader_interface.downloader
        if not isinstance(downloader, PlainDownloader):
            return super().pop()
        busy = {downloader.get_slot_key(request) for request in downloader.active}
        for _ in range(len(self.pqueues)):
            key = next((key for key in self.pqueues if key not in busy), None)
            request = None if key is None else self._pop_of(key)
            if key is None or request is not None:
                return request
        return None

    def _pop_of(self, key: str) -> Request | None:
        """Returns the next request of a host and moves the host behind all others, or removes it if it has no more.
        Returns None if a request that could not be written to the disk left an empty queue."""
        waiting = self.pqueues
        self.pqueues = OrderedDict([(key, waiting[key])])
        try:
            return super().pop()
        finally:
            if self.pqueues:
                waiting.move_to_end(key)
            else:
                del waiting[key]
            self.pqueues = waiting


class FileByFileLoader(SpiderLoader):
    """Scrapy's loader of spiders, module by module."""

    @abstractmethod
    def load_modules(self, packages: Iterable[str]) -> None:
        """Loads the spiders of all modules of the packages, each with `load_module`."""

    def load_module(self, name: str) -> None:
        """Loads the spiders of a module. Raises whatever its code raises."""
        self._load_spiders(import_module(name))

    def _load_all_spiders(self) -> None:
        self.load_modules(self.spider_modules)
        self._check_name_duplicates()
