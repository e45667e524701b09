"""The scheduler's queue: of each host at most one request is out at a time.

Scrapy's own queue hands out a waiting host's requests until they fill CONCURRENT_REQUESTS, and then nobody else's turn
comes. Here a host's next request stays in the queue, in its order of priority, until the one before it has ended.
"""

from __future__ import annotations

from scrapy.http import Request
from scrapy.pqueues import DownloaderAwarePriorityQueue

from newscrawl.crawling.downloader import PoliteDownloader


class OneAtATimeQueue(DownloaderAwarePriorityQueue):
    """Scrapy's queue of queues, one a host, with the busy hosts left out."""

    def pop(self) -> Request | None:
        """The next request of a host that is not busy; None when there is none now."""
        downloader = self._downloader_interface.downloader
        if not isinstance(downloader, PoliteDownloader):
            return super().pop()
        busy = {downloader.get_slot_key(request) for request in downloader.active}
        waiting = {key: self.pqueues.pop(key) for key in list(self.pqueues) if key in busy}
        try:
            return super().pop()
        finally:
            self.pqueues.update(waiting)
