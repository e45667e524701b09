"""The scheduler's queue: each host has at most one request in progress.

Scrapy's own queue hands out a waiting host's requests until they fill CONCURRENT_REQUESTS, so that other hosts get
none. Here a host's next request stays in the queue, in its order of priority, until the one before it has ended.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from scrapy.http import Request
from scrapy.pqueues import DownloaderAwarePriorityQueue, ScrapyPriorityQueue

from newscrawl.crawling.downloader.throttled_downloader import ThrottledDownloader


class OneAtATimeQueue(DownloaderAwarePriorityQueue):
    """Scrapy's queue with one queue for each host. Busy hosts are skipped; the others take turns.

    The cost of a request depends on the number of busy hosts, not on how many wait: Scrapy's own queue checks all.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pqueues: OrderedDict[str, ScrapyPriorityQueue] = OrderedDict(self.pqueues)

    def pop(self) -> Request | None:
        """Returns the next request of the host that has waited longest; None if all hosts are busy."""
        downloader = self._downloader_interface.downloader
        if not isinstance(downloader, ThrottledDownloader):
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
