"""Download handlers whose connections lead to ports of this machine: for a spider that serves its site itself
(`crawling.spider.self_served`), and for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from scrapy.crawler import Crawler
from twisted.internet.endpoints import TCP4ClientEndpoint
from twisted.web.client import HTTPConnectionPool

from newscrawl.crawling.downloader.download_handler import HeadLimitedHandler, configure_pool

LOOPBACK: Final = "127.0.0.1"


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
        own: Callable[[Any], int | None] | None = getattr(self._crawler.spider, "own_port", None)
        return own(key) if own is not None else None


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
