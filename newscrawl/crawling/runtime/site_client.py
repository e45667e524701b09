"""Single requests that a coroutine makes within a running crawl, and their answers.

Each request passes the address guard, robots.txt, the host's delay, the limits and the redirects of all requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from scrapy import Request, Spider
from scrapy.http import Response

from newscrawl.crawling.downloader.robots import RobotsMiddleware
from newscrawl.crawling.failures import failure_of
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.spider import responses
from newscrawl.model import Discovery, Failure, RawPage


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request ended with: a status with headers and body, or a failure without."""

    url: str
    final_url: str
    at: datetime
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = field(default=b"", repr=False)
    failure: Failure | None = None

    @property
    def readable(self) -> bool:
        """Whether there is something to read."""
        return self.failure is None

    def raw_page(self, site: str, discovery: Discovery | None = None) -> RawPage:
        """The answer as a spider would yield it."""
        return RawPage(self.url, self.final_url, self.status, self.headers, self.body, self.at, site, discovery)


class SiteClient(Protocol):
    """Who asks."""

    async def get(self, url: str) -> Answer:
        """The answer to one request; never raises for what a site does."""

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """The sitemaps that the robots.txt governing `url` names, none if it cannot be had."""


class EngineSiteClient:
    """Asks through the engine of a running crawl."""

    def __init__(self, spider: Spider) -> None:
        self._crawler = spider.crawler

    async def get(self, url: str) -> Answer:
        """See SiteClient."""
        try:
            request = Request(url, dont_filter=True)
        except ValueError as error:
            return _failed(url, Failure("security/bad_url", str(error)))
        if self._crawler.engine is None:
            raise RuntimeError("a visitor asks only while its crawl runs")
        try:
            response: Response = await self._crawler.engine.download_async(request)
        except asyncio.CancelledError:
            raise
        # As in a spider's errback: whatever a request ends with has a name, and what nobody foresaw is download/error.
        except Exception as error:  # noqa: BLE001
            return _failed(url, failure_of(error))
        failure = responses.unreadable(response)
        headers = responses.lower_headers(response)
        return Answer(url, response.url, datetime.now(UTC), response.status, headers, response.body, failure)

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """See SiteClient."""
        middleware = self._crawler.get_downloader_middleware(RobotsMiddleware)
        try:
            return await middleware.sitemaps_of(url) if middleware else ()
        except (ValueError, Refused):
            return ()


def _failed(url: str, failure: Failure) -> Answer:
    return Answer(url, url, datetime.now(UTC), failure=failure)
