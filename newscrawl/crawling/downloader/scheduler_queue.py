"""The scheduler's queue: of each host at most one request is out at a time.

Scrapy's own queue hands out a waiting host's requests until they fill CONCURRENT_REQUESTS, and then nobody else's turn
comes. Here a host's next request stays in the queue, in its order of priority, until the one before it has ended.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from scrapy.http import Request
from scrapy.pqueues import DownloaderAwarePriorityQueue, ScrapyPriorityQueue

from newscrawl.crawling.downloader.throttled_downloader import ThrottledDownloader


class OneAtATimeQueue(DownloaderAwarePriorityQueue):
    """Scrapy's queue of queues, one a host, with the busy hosts left out; the others have their turns one by one.

    A request costs a look at the hosts that are busy, however many wait: Scrapy's own queue looks at all of them.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pqueues: OrderedDict[str, ScrapyPriorityQueue] = OrderedDict(self.pqueues)

    def pop(self) -> Request | None:
        """The next request of the host that has waited for its turn the longest; None when all hosts are busy."""
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
        """The next request of a host, which then stands behind all others, or is gone if it has no more. None where a
        request that could not be written to the disk has left an empty queue behind."""
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
