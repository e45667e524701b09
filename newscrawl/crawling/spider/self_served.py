"""A spider that serves its site itself, as the demo does, and the download handler that connects to it.

For everything above the connection (robots.txt, delays, storage keys) the site has one address, whatever port its
server got. The connection goes directly to the port that the spider opened, so the address guard needs no exception: a
link to any other port of this machine is refused as in every crawl.
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

from newscrawl.crawling.downloader.download_handler import HeadLimitedHandler, configure_pool
from newscrawl.crawling.spider import NewsSpider

LOOPBACK: Final = "127.0.0.1"
HTTP_PORT: Final = 80


class SelfServedSpider(NewsSpider):
    """A site that is served at the address of its `home`, from before the first request until the crawl has ended."""

    expected_failures: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Kinds of failure that the site causes on purpose, each with an explanation."""

    served_port: int | None = None
    """The port of this machine on which the server listens; None while it does not."""

    def open_server(self) -> int:
        """Starts the server. Returns its port."""
        raise NotImplementedError

    def close_server(self) -> None:
        """Stops the server, and returns when nothing of it is left. Called only after `open_server`."""
        raise NotImplementedError

    def table_notes(self) -> Mapping[str, str]:
        """Returns further lines of the table at the end of a crawl: whether the compiled core is in use."""
        from newscrawl.extraction.kernels import (
            why_not_compiled,  # loads the extractors, which a crawl's process does not need
        )

        reason = why_not_compiled()
        return {"compiled core": f"not in use ({reason})" if reason else "in use"}

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Replaces the project's handler for http by this module's."""
        super().update_settings(settings)
        handlers = {**settings.getdict("DOWNLOAD_HANDLERS"), "http": OwnServerHandler}
        settings.set("DOWNLOAD_HANDLERS", handlers, priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Builds the spider as Scrapy does."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.stop_serving, signal=signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Starts the server, then crawls."""
        self.served_port = self.open_server()
        self.logger.info("serving %s on port %d of this machine", self.home, self.served_port)
        async for request in super().start():
            yield request

    def stop_serving(self) -> None:
        """Stops the server; the handler of `spider_closed`."""
        if self.served_port is not None:
            self.close_server()
            self.served_port = None


class LocalHandler(HeadLimitedHandler):
    """The project's handler for HTTP/1.1, but connections lead to a port of this machine if `port_of` returns one."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        from twisted.internet import reactor

        self._crawler = crawler
        most = self._pool.maxPersistentPerHost
        self._pool = LocalPool(self.port_of, reactor)
        self._pool.maxPersistentPerHost = most
        configure_pool(self._pool)

    def port_of(self, key: Any) -> int | None:
        """Returns the port that serves `key` (scheme, host, port ...) on this machine; None for the host itself."""
        raise NotImplementedError


class OwnServerHandler(LocalHandler):
    """A handler that connects to this machine only for the spider's own site."""

    def port_of(self, key: Any) -> int | None:
        """Returns the port of the spider's server if the key is its site's."""
        return own_port(self._crawler.spider, key)


def own_port(spider: object, key: Any) -> int | None:
    """Returns the port on which `spider` itself serves `key` (scheme, host, port ...); None if it does not."""
    if isinstance(spider, SelfServedSpider) and key[:3] == _key_of(spider.home or ""):
        return spider.served_port
    return None


class LocalPool(HTTPConnectionPool):
    """Connections to the ports of this machine that `port_of` returns for a key, and to the host itself otherwise.

    Twisted passes the key and the endpoint, to which nothing has connected yet.
    """

    def __init__(self, port_of: Callable[[Any], int | None], reactor: Any) -> None:
        super().__init__(reactor, persistent=True)  # type: ignore[no-untyped-call]
        self._port_of = port_of

    def getConnection(self, key: Any, endpoint: Any) -> Any:  # noqa: N802  Twisted's name
        """Returns a connection for `key`: to a port of this machine, or to `endpoint`."""
        port = self._port_of(key)
        if port is not None:
            endpoint = TCP4ClientEndpoint(self._reactor, LOOPBACK, port)
        return super().getConnection(key, endpoint)


def _key_of(home: str) -> tuple[bytes, bytes, int]:
    parts = urlsplit(home)
    return parts.scheme.encode(), (parts.hostname or "").encode(), parts.port or HTTP_PORT
