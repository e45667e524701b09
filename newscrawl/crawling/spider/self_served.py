"""A spider that serves its site itself, as the demo does, and the download handler that reaches it.

Everything above the connection sees the site's one address, whatever port its server could get: robots.txt, delays,
storage keys. And since the connection goes straight to the port that the spider opened, no exception in the address
guard is needed: a link to any other port of this machine is refused as in every crawl.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from twisted.internet.endpoints import TCP4ClientEndpoint
from twisted.web.client import HTTPConnectionPool

from newscrawl.crawling.downloader.download_handler import HeadLimitedHandler, tame
from newscrawl.crawling.spider import NewsSpider

LOOPBACK: Final = "127.0.0.1"
HTTP_PORT: Final = 80


class SelfServedSpider(NewsSpider):
    """A site that is served, at the address of its `home`, from before the first request until the crawl has ended."""

    expected_failures: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Kinds of failure that the site causes on purpose, each with an explanation."""

    served_port: int | None = None
    """The port of this machine at which the server really listens; None while it does not."""

    def open_server(self) -> int:
        """Starts the server; returns its port."""
        raise NotImplementedError

    def close_server(self) -> None:
        """Stop to serve, and return when nothing of the server is left; called only after `open_server`."""
        raise NotImplementedError

    def table_notes(self) -> Mapping[str, str]:
        """Further lines of the table at the end of a crawl: whether the compiled core is in use."""
        from newscrawl.extraction.kernels import (
            why_not_compiled,  # loads the extractors, which a crawl's process need not
        )

        reason = why_not_compiled()
        return {"compiled core": f"not in use ({reason})" if reason else "in use"}

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Put our handler in place of the project's for http."""
        super().update_settings(settings)
        handlers = {**settings.getdict("DOWNLOAD_HANDLERS"), "http": OwnServerHandler}
        settings.set("DOWNLOAD_HANDLERS", handlers, priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """As Scrapy builds spiders."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.stop_serving, signal=signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Serve, then crawl."""
        self.served_port = self.open_server()
        self.logger.info("serving %s on port %d of this machine", self.home, self.served_port)
        async for request in super().start():
            yield request

    def stop_serving(self) -> None:
        """What `spider_closed` calls."""
        if self.served_port is not None:
            self.close_server()
            self.served_port = None


class LocalHandler(HeadLimitedHandler):
    """The project's handler for HTTP/1.1, with connections that lead to a port of this machine where `port_of` says
    so."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        from twisted.internet import reactor

        self._crawler = crawler
        most = self._pool.maxPersistentPerHost
        self._pool = LocalPool(self.port_of, reactor)
        self._pool.maxPersistentPerHost = most
        tame(self._pool)

    def port_of(self, key: Any) -> int | None:
        """The port that serves `key` (scheme, host, port ...) on this machine; None for the host itself."""
        raise NotImplementedError


class OwnServerHandler(LocalHandler):
    """Only connections to the spider's own site lead to this machine."""

    def port_of(self, key: Any) -> int | None:
        """The spider's server if the key is its site's."""
        return own_port(self._crawler.spider, key)


def own_port(spider: object, key: Any) -> int | None:
    """The port at which `spider` serves `key` (scheme, host, port ...) itself; None where it does not."""
    if isinstance(spider, SelfServedSpider) and key[:3] == _key_of(spider.home or ""):
        return spider.served_port
    return None


class LocalPool(HTTPConnectionPool):
    """Connections to the ports of this machine that `port_of` gives for a key, and to the host itself elsewhere.

    Twisted hands it the key and the endpoint, to which nothing has connected yet.
    """

    def __init__(self, port_of: Callable[[Any], int | None], reactor: Any) -> None:
        super().__init__(reactor, persistent=True)  # type: ignore[no-untyped-call]
        self._port_of = port_of

    def getConnection(self, key: Any, endpoint: Any) -> Any:  # noqa: N802  Twisted's name
        """A connection for `key`: to a port of this machine, or to `endpoint`."""
        port = self._port_of(key)
        if port is not None:
            endpoint = TCP4ClientEndpoint(self._reactor, LOOPBACK, port)
        return super().getConnection(key, endpoint)


def _key_of(home: str) -> tuple[bytes, bytes, int]:
    parts = urlsplit(home)
    return parts.scheme.encode(), (parts.hostname or "").encode(), parts.port or HTTP_PORT
