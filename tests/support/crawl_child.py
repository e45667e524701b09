"""A process that makes one crawl and reports its results. A reactor runs once in a process, so tests start a process
for each crawl.

Standard input: a JSON object with `urls` (each crawled as a start request, or an object with url and meta), `settings`,
`names` (host name -> addresses, or a list of such answers that are given one after another), `spider` attributes.
Standard output: a JSON object with `outcomes` (url -> what came of it), `stats`, `error`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from time import monotonic
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver
from zope.interface import implementer

from newscrawl.crawling.downloader.address_guard import AddressGuard
from newscrawl.crawling.failures import failure_of
from newscrawl.crawling.runtime.process import make_process, run_spider, safe_settings
from newscrawl.errors import NewscrawlError


@implementer(IHostnameResolver)
class FakeNames:
    """Resolves invented names; the system resolves all others."""

    def __init__(self, upstream: Any, names: dict[str, Any]) -> None:
        self._upstream = upstream
        self._names = names

    def resolveHostName(  # noqa: N802
        self, receiver: Any, host: str, port: int = 0, types: Any = None, transport: str = "TCP"
    ) -> Any:
        if host not in self._names:
            return self._upstream.resolveHostName(receiver, host, port, types, transport)
        answer = self._names[host]
        if answer and isinstance(answer[0], list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        receiver.resolutionBegan(self)
        for address in answer:
            kind = IPv6Address if ":" in address else IPv4Address
            receiver.addressResolved(kind("TCP", address, port))
        receiver.resolutionComplete()
        return self

    def cancel(self) -> None:
        pass


class GuardedFakeNames(AddressGuard):
    """The address guard with invented names. It caches answers as long as the test says."""

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> AddressGuard:
        guarded = super().from_crawler(crawler, reactor)
        guarded._upstream = FakeNames(guarded._upstream, crawler.settings.getdict("TEST_NAMES"))
        step = crawler.settings.getfloat("TEST_CLOCK_STEP")
        if step:
            ticks = iter(range(10**9))
            guarded._clock = lambda: next(ticks) * step
        return guarded


class TestSpider(Spider):
    """Requests all addresses of the test at once, and records each result."""

    name = "test"

    def __init__(self, asked: list[Any], outcomes: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._asked = asked
        self._outcomes = outcomes
        self._left = 0

    async def start(self) -> AsyncIterator[Any]:
        for asked in self._asked:
            meta = {} if isinstance(asked, str) else asked["meta"]
            url = asked if isinstance(asked, str) else asked["url"]
            try:
                request = Request(url, self.parse, errback=self.failed, meta={**meta, "asked": url}, dont_filter=True)
            except ValueError as error:
                self._outcomes[url] = {"kind": "no_request", "reason": str(error)}
                continue
            yield request

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        self._outcomes[response.meta["asked"]] = {
            "kind": "page",
            "status": response.status,
            "final": response.url,
            "size": len(response.body),
            "at": monotonic(),
        }
        if self.settings.getbool("TEST_FOLLOW"):
            for link in response.css("a::attr(href)").getall():
                yield response.follow(link, self.parse, errback=self.failed, meta={"asked": response.urljoin(link)})

    def failed(self, failure: Any) -> None:
        found = failure_of(failure)
        assert "\n" not in found.reason
        self._outcomes[failure.request.meta["asked"]] = {"kind": found.code, "reason": found.reason, "at": monotonic()}


def main() -> None:
    task = json.load(sys.stdin)
    outcomes: dict[str, Any] = {}
    result: dict[str, Any] = {"outcomes": outcomes, "stats": {}, "error": None}
    settings = safe_settings()
    settings.setdict(
        {
            "TWISTED_DNS_RESOLVER": GuardedFakeNames,
            "TEST_NAMES": task.get("names", {}),
            "LOG_LEVEL": "ERROR",
            "DOWNLOAD_DELAY": 0.0,
            "NEWSCRAWL_FIRST_BACKOFF": 0.1,
        }
        | task.get("settings", {})
    )
    try:
        process = make_process(settings=settings)
        spider = type("Declared", (TestSpider,), task.get("spider", {}))
        crawler = run_spider(process, spider, asked=task["urls"], outcomes=outcomes)
        result["stats"] = {
            key: value for key, value in crawler.stats.get_stats().items() if isinstance(value, int | str)
        }
    except NewscrawlError as error:
        result["error"] = str(error)
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
