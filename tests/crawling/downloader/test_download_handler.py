"""The protocol of a connection, with data in any segments."""

from __future__ import annotations

from typing import Any

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import Protocol, connectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web._newclient import Request
from twisted.web.client import ResponseDone
from twisted.web.http_headers import Headers

from newscrawl.crawling.downloader.download_handler import (
    MAX_HEAD_BYTES,
    HeadLimitedProtocol,
)
from newscrawl.crawling.failures import closed_while_idle, not_sent

BODY = b"x" * 5_000
SMALL = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + BODY
FLOOD = b"X-Flood: and more\r\n" * 1_000


class Body(Protocol):
    """Collects an answer's body."""

    def __init__(self) -> None:
        self.whole: Deferred[bytes] = Deferred()
        self._pieces: list[bytes] = []

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        self._pieces.append(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802
        if reason.check(ResponseDone):
            self.whole.callback(b"".join(self._pieces))
        else:
            self.whole.errback(reason)


def body_of(response: Any) -> Deferred[bytes]:
    reader = Body()
    response.deliverBody(reader)
    return reader.whole


class Kept:
    """A connection that is kept alive, and what became of its latest request."""

    def __init__(self) -> None:
        self.protocol = HeadLimitedProtocol()
        self.transport = StringTransport()
        self.transport.abortConnection = self._abort  # type: ignore[method-assign]
        self.protocol.makeConnection(self.transport)
        self.aborted = False
        self.bodies: list[bytes] = []
        self.failures: list[Failure] = []

    def _abort(self) -> None:
        self.aborted = True
        self.transport.aborting = True

    def ask(self) -> None:
        headers = Headers({b"Host": [b"news.example"]})
        asked = self.protocol.request(Request(b"GET", b"/", headers, None, persistent=True))
        asked.addCallback(body_of).addCallbacks(self.bodies.append, self.failures.append)

    def hear(self, *segments: bytes) -> None:
        for segment in segments:
            self.protocol.dataReceived(segment)

    def lose(self, reason: Exception | None = None) -> None:
        self.protocol.connectionLost(Failure(reason or ConnectionDone()))


@pytest.fixture
def kept() -> Kept:
    return Kept()


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [len(SMALL), 1_000, 37], ids=["one segment", "several segments", "many segments"])
def test_small_answers_on_a_kept_connection_are_never_too_much(kept: Kept, size: int) -> None:
    for _ in range(3 * MAX_HEAD_BYTES // len(SMALL)):
        kept.ask()
        kept.hear(*cut(SMALL, size))
    assert set(kept.bodies) == {BODY}
    assert not kept.aborted
    assert not kept.failures


def test_long_headers_are_counted_for_each_answer(kept: Kept) -> None:
    head = b"HTTP/1.1 200 OK\r\n" + FLOOD * 10 + b"Content-Length: 5000\r\n\r\n"
    assert len(head) < MAX_HEAD_BYTES < 2 * len(head)
    for _ in range(4):
        kept.ask()
        kept.hear(*cut(head + BODY, 16_384))
    assert len(kept.bodies) == 4
    assert not kept.aborted


@pytest.mark.parametrize(
    "begin",
    [b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 20, b"HTTP/1.1 200 OK\r\nX-Long: "],
    ids=["an answer", "interim answers", "one line"],
)
def test_headers_that_do_not_end_abort_the_connection(kept: Kept, begin: bytes) -> None:
    piece = begin if begin.endswith(b"\r\n\r\n") else FLOOD
    kept.ask()
    kept.hear(SMALL)
    kept.ask()
    kept.hear(begin)
    fed = 0
    while not kept.aborted:
        kept.hear(piece)
        fed += len(piece)
        assert fed <= MAX_HEAD_BYTES + len(piece)


def test_a_request_is_written_only_if_it_may_be_sent_at_that_moment(kept: Kept) -> None:
    permitted = [False]
    kept.protocol = HeadLimitedProtocol(may_send=lambda _url, _address: permitted[0])
    kept.protocol.makeConnection(kept.transport)
    kept.ask()
    (failure,) = kept.failures
    assert not_sent(failure.value)
    assert not closed_while_idle(failure.value)
    assert kept.transport.value() == b""
    assert kept.transport.disconnecting  # the connection is not used again
