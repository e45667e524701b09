"""Names every way in which a request can end without a page, and explains it in one line."""

from __future__ import annotations

import socket
import ssl
import zlib
from collections.abc import Iterator
from typing import Final

from OpenSSL.SSL import Error as OpenSSLError
from scrapy import exceptions
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.internet import error as internet
from twisted.python.failure import Failure as TwistedFailure
from twisted.web import _newclient as http

from newscrawl.crawling.downloader.certificates import CertificateRefused
from newscrawl.crawling.downloader.throttle import UNWRITTEN
from newscrawl.crawling.refusals import Refused
from newscrawl.errors import StorageError
from newscrawl.model import Failure
from newscrawl.model.walls import WallAnswer, wall_of

TIMEOUT: Final = "download/timeout"
TOO_LARGE: Final = "download/too_large"
DNS: Final = "download/dns"
CONNECTION: Final = "download/connection"
TLS: Final = "download/tls"
INCOMPLETE: Final = "download/incomplete"
BAD_ANSWER: Final = "download/bad_answer"
BAD_ENCODING: Final = "download/bad_encoding"
SCHEME: Final = "security/scheme"
BAD_URL: Final = "security/bad_url"
IGNORED: Final = "download/ignored"
ERROR: Final = "download/error"

MAX_REASON: Final = 200
"""Characters of a reason. Servers may write parts of some reasons."""

_REASONS: Final[tuple[tuple[tuple[type[BaseException], ...], str, str], ...]] = (
    ((exceptions.DownloadTimeoutError, internet.TimeoutError, TimeoutError), TIMEOUT, "no complete answer in time"),
    ((exceptions.DownloadCancelledError,), TOO_LARGE, "the answer is larger than DOWNLOAD_MAXSIZE"),
    ((internet.ConnectionAborted,), TOO_LARGE, "the answer's headers do not end"),
    ((exceptions.CannotResolveHostError, internet.DNSLookupError, socket.gaierror), DNS, "the host name was not found"),
    ((OpenSSLError, ssl.SSLError), TLS, "the certificate or the encryption was not accepted"),
    ((exceptions.ResponseDataLossError,), INCOMPLETE, "the answer broke off before its end"),
    ((http.ParseError, http.BadHeaders), BAD_ANSWER, "the answer is not HTTP"),
    ((exceptions.DownloadConnectionRefusedError, internet.ConnectionRefusedError), CONNECTION, "connection refused"),
    ((internet.ConnectionDone, internet.ConnectionLost), CONNECTION, "the connection was closed without an answer"),
    ((internet.ConnectError, internet.ConnectingCancelledError), CONNECTION, "no connection"),
    ((exceptions.NotSupported, exceptions.UnsupportedURLSchemeError), SCHEME, "only http and https are fetched"),
    ((zlib.error, EOFError, OSError), BAD_ENCODING, "the answer cannot be decompressed"),
)
"""In this order: a class comes before its bases, a specific cause before a general one."""


class ClosedWhileIdle(internet.ConnectionLost):
    """The server closed a kept connection that waited for its next request, before any part of an answer."""


class NotPermitted(internet.ConnectionLost):
    """The crawl's lease or the host's grant was not in force when the request was about to be written, so nothing was
    sent."""


def failure_of(failed: TwistedFailure | BaseException) -> Failure:
    """Returns the failure of a request, from the failure that an errback gets or the exception itself.

    `code` is one of those above, `http/STATUS`, or the code of a `Refused`. An unexpected exception is
    `download/error` with the exception's name.
    """
    error = failed.value if isinstance(failed, TwistedFailure) else failed
    if isinstance(error, Refused):
        return Failure(error.code, _one_line(error.reason))
    if isinstance(error, StorageError):  # it is not about the page, which is requested again, as after a refusal
        return Failure(UNWRITTEN, _one_line(str(error)))
    if isinstance(error, HttpError):
        return answered(error.response)
    chain = list(causes(error)) if error is not None else []
    for cause in chain:
        if isinstance(cause, CertificateRefused):
            return Failure(TLS, str(cause))
    for classes, code, reason in _REASONS:
        if any(isinstance(cause, classes) for cause in chain):
            return Failure(code, reason)
    if any(type(cause) is UnicodeError for cause in chain):  # Scrapy: no name of a host can be written like this one
        return Failure(BAD_URL, "the host name is not valid")
    if isinstance(error, exceptions.IgnoreRequest):
        return Failure(IGNORED, _one_line(str(error) or "ignored by a middleware"))
    if isinstance(error, exceptions.DownloadFailedError):
        return Failure(CONNECTION, "the answer could not be received")
    return Failure(ERROR, _one_line(f"{type(error).__name__}: {error}"))


def answered(response: Response) -> Failure:
    """Returns the failure of a request that was answered with another status than 200, with the bot wall that
    answered."""
    wall = wall_answer(response)
    named = f": {wall.note}" if wall is not None else ""
    return Failure(f"http/{response.status}", f"the server answered {response.status}{named}")


def wall_answer(response: Response) -> WallAnswer | None:
    """Returns the bot wall that answered; None if it was the site."""
    headers = {
        name.decode("latin-1").lower(): ", ".join(value.decode("latin-1") for value in values)
        for name, values in response.headers.items()
    }
    return wall_of(response.status, headers)


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yields the exception, the exceptions it was raised from, and those that Twisted wrapped in it, each once."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting += [reason.value for reason in getattr(current, "reasons", None) or () if hasattr(reason, "value")]
        waiting += [cause for cause in (current.__cause__, current.__context__) if cause is not None]


def closed_while_idle(error: BaseException) -> bool:
    """Returns whether a request was sent on a kept connection that the server was closing. It is no host failure."""
    return any(isinstance(cause, ClosedWhileIdle) for cause in causes(error))


def not_sent(error: BaseException) -> bool:
    """Returns whether a request was not sent, or was sent on a kept connection that the server was closing."""
    return closed_while_idle(error) or any(isinstance(cause, NotPermitted) for cause in causes(error))


def _one_line(text: str) -> str:
    """Replaces control characters, so that a server cannot add lines to a log."""
    line = "".join(character if character.isprintable() else " " for character in text)
    return line if len(line) <= MAX_REASON else line[: MAX_REASON - 1] + "…"
