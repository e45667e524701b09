"""Errors of requests that may be sent again, because they never reached their server.

They are apart from `download_handler`, which loads Scrapy's handler: that takes more than a second of CPU, because
Scrapy marks old names there by looking through the whole import stack, and most commands send no request.
"""

from __future__ import annotations

from twisted.internet.error import ConnectionLost

from newscrawl.crawling.failures import causes


class ClosedWhileIdle(ConnectionLost):
    """The server closed a kept connection that waited for its next request, before any part of an answer."""


def closed_while_idle(error: BaseException) -> bool:
    """Returns whether a request was sent on a kept connection that the server was closing. It is no host failure."""
    return any(isinstance(cause, ClosedWhileIdle) for cause in causes(error))


class NotPermitted(ConnectionLost):
    """The crawl's lease or the host's grant was not in force when the request was about to be written, so nothing was
    sent."""


def not_sent(error: BaseException) -> bool:
    """Returns whether a request was not sent, or was sent on a kept connection that the server was closing."""
    return closed_while_idle(error) or any(isinstance(cause, NotPermitted) for cause in causes(error))
