"""Log lines about requests that the address guard refused: the first one, and a crawl in which it refused all."""

from __future__ import annotations

import logging

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from newscrawl.crawling.downloader.address_guard import BLOCKED

logger = logging.getLogger(__name__)


class BlockedRequests:
    """The refused requests of a crawl. The reason of a refusal names the setting to change."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._first = ""
        self.is_answered = False
        """Whether some request was answered."""
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    def add(self, reason: str) -> None:
        """Logs the first refusal of the crawl; `Refused` has counted it."""
        if not self._first:
            self._first = reason
            logger.info("the address guard refused a request: %s; later ones are only counted as %s", reason, BLOCKED)

    def spider_closed(self, spider: Spider) -> None:
        """Logs it if the guard refused requests and nothing was fetched."""
        if self._first and not self.is_answered:
            number = self._crawler.stats.get_value(BLOCKED, 0)
            logger.warning(
                "the address guard refused all requests of %s (%d), so nothing was fetched: %s",
                *(spider.name, number, self._first),
            )
