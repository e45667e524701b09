"""Scrapy's download handler with limits on headers, without Twisted's repeated requests, with stricter certificates;
and the same with connections to ports of this machine, for a spider that serves its site itself
(`crawling.spider.self_served`) and for tests.

A server that sends headers without end was measured to fill 25 MB of memory a second until the timeout. When a kept
connection breaks, Twisted's pool sends the request again at once, without the delay of the host. Here it does not: the
downloader sends such a request again through the host throttle (`failures.not_sent` recognises the error). The names in
certificates are checked by newscrawl.crawling.downloader.certificates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from scrapy.core.downloader.handlers import http11
from scrapy.crawler import Crawler
from twisted.internet.defer import Deferred, fail
from twisted.internet.endpoints import TCP4ClientEndpoint
from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure
from twisted.web._newclient import HEADER, STATUS, HTTP11ClientProtocol
from twisted.web._newclient import Request as WireRequest
from twisted.web.client import HTTPConnectionPool
from twisted.web.iweb import IResponse

from newscrawl.crawling.downloader.certificates import CheckedNames
from newscrawl.crawling.failures import ClosedWhileIdle, NotPermitted

MAX_HEAD_BYTES: Final = 256 * 1024
"""Bytes of status line and headers of one answer. This is Chromium's limit, the largest of the common browsers."""

IDLE_SECONDS: Final = 4.0
"""Seconds for which an unused connection is kept. Apache and Node.js close theirs after 5 seconds, nginx after 75. With
a shorter time the server closes few connections while a request is being sent."""

MaySend = Callable[[str, str], bool]
"""Whether a request to this URL, on a connection to this IP address, may be written now."""

_UNANSWERED: Final = ("TRANSMITTING", "WAITING")
"""States of Twisted's protocol between a request and the end of its answer."""


class HeadLimitedProtocol(http11._LenientHTTP11ClientProtocol):  # noqa: SLF001
    """Aborts the connection when the headers of an answer do not end; the request then fails with ConnectionAborted.

    It distinguishes a connection that the server closed while it was idle from one that broke during an answer. It
    writes a request only if `may_send(url, address)` is true at that moment: names are resolved and connections are
    opened before. `address` is the IP address of the server.
    """

    _head_bytes = 0
    _answers = 0
    """The number of complete answers on this connection."""
    _heard = False
    """Whether any part of the present answer has arrived."""

    def __init__(
        self, quiescent: Callable[..., object] = lambda _protocol: None, may_send: MaySend = lambda _url, _address: True
    ) -> None:
        super().__init__(quiescent)  # type: ignore[no-untyped-call]
        self._may_send = may_send

    def request(self, request: WireRequest) -> Deferred[IResponse]:
        """Sends a request and resets the counts. Fails with NotPermitted if nothing may be sent now."""
        transport: Any = self.transport
        address = getattr(transport.getPeer(), "host", "") if transport is not None else ""
        if not self._may_send((request.absoluteURI or b"").decode("latin-1"), address):
            self.abort()  # type: ignore[no-untyped-call]
            return fail(NotPermitted("the lease of the site or the grant of the host is not confirmed"))
        self._head_bytes = 0
        self._heard = False
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  Twisted's interface
        """Counts the bytes of an answer's head. The segment in which the head ends is not counted: it may contain the
        whole answer, and is no larger than Twisted's buffer of 64 kB."""
        self._heard = True
        parser = self._parser
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if self._parser is not parser:
            self._answers += 1
            return
        if parser is None or parser.state not in (STATUS, HEADER):
            return
        self._head_bytes += len(data)
        if self._head_bytes > MAX_HEAD_BYTES and self.transport is not None:
            self.transport.abortConnection()

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802
        """Sets the reason if the server closed a kept connection before it began to answer."""
        if self._answers and not self._heard and self.state in _UNANSWERED:
            reason = Failure(ClosedWhileIdle("closed by the server while it was idle"))  # type: ignore[no-untyped-call]
        super().connectionLost(reason)  # type: ignore[no-untyped-call]


def configure_pool(pool: HTTPConnectionPool, may_send: MaySend = lambda _url, _address: True) -> None:
    """Makes a pool use this module's protocol, close idle connections early, and never repeat a request."""

    class Factory(http11._LenientHTTP11ClientFactory):  # noqa: SLF001
        def buildProtocol(self, addr: object) -> HTTP11ClientProtocol:  # noqa: N802
            """Builds a connection's protocol as Twisted does."""
            return HeadLimitedProtocol(self._quiescentCallback, may_send)

    pool._factory = Factory  # noqa: SLF001
    pool.retryAutomatically = False
    pool.cachedConnectionTimeout = IDLE_SECONDS  # type: ignore[assignment]


class HeadLimitedHandler(http11.HTTP11DownloadHandler):
    """Scrapy's handler for HTTP and HTTPS with these limits."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._crawl = crawler
        configure_pool(self._pool, self._may_send)
        if crawler.settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"):
            self._contextFactory = CheckedNames(self._contextFactory)  # type: ignore[assignment]

    def _may_send(self, url: str, address: str) -> bool:
        engine = self._crawl.engine
        may_send: MaySend | None = getattr(engine.downloader, "may_send", None) if engine is not None else None
        return may_send is None or may_send(url, address)


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
