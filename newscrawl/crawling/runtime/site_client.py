"""Single requests that a coroutine makes within a running crawl, and their answers.

Address guard, robots.txt, host delay, limits and redirect rules apply to them as to all requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from newscrawl.crawling.downloader.middlewares.robots import RobotsMiddleware
from newscrawl.crawling.failures import BAD_URL, failure_of
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.spider import responses
from newscrawl.model import Discovery, Failure, RawPage


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """The result of a request: a status with headers and body, or a failure without them."""

    url: str
    final_url: str
    at: datetime
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = field(default=b"", repr=False)
    failure: Failure | None = None

    @property
    def readable(self) -> bool:
        """Whether there is a body to read."""
        return self.failure is None

    def raw_page(self, site: str, discovery: Discovery | None = None) -> RawPage:
        """Returns the answer as the RawPage that a spider would yield."""
        return RawPage(self.url, self.final_url, self.status, self.headers, self.body, self.at, site, discovery)


class SiteClient(Protocol):
    """Makes requests to a site."""

    async def get(self, url: str) -> SiteAnswer:
        """Returns the answer to one request; an error of the site is a `failure`, not an exception."""

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """Returns the sitemaps that the robots.txt of `url` names; none if it cannot be read."""


class EngineSiteClient:
    """Makes requests through the engine of a running crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    async def get(self, url: str) -> SiteAnswer:
        """See SiteClient."""
        try:
            request = Request(url, dont_filter=True)
        except ValueError as error:
            return _failed(url, Failure(BAD_URL, str(error)))
        if self._crawler.engine is None:
            raise RuntimeError("EngineSiteClient works only while its crawl runs")
        try:
            response: Response = await self._crawler.engine.download_async(request)
        except asyncio.CancelledError:
            raise
        # As in a spider's errback: every exception becomes a Failure, an unforeseen one download/error.
        except Exception as error:  # noqa: BLE001
            return _failed(url, failure_of(error))
        failure = responses.unreadable(response)
        headers = responses.lower_headers(response)
        return SiteAnswer(url, response.url, datetime.now(UTC), response.status, headers, response.body, failure)

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """See SiteClient."""
        middleware = self._crawler.get_downloader_middleware(RobotsMiddleware)
        try:
            return await middleware.sitemaps_of(url) if middleware else ()
        except (ValueError, Refused):
            return ()


def _failed(url: str, failure: Failure) -> SiteAnswer:
    return SiteAnswer(url, url, datetime.now(UTC), failure=failure)
