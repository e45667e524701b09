"""HTTP requests to a server of the operator, each with a deadline for the whole answer and a size limit for its body.
Sinks of the change feed also divide here what they send into bodies, and repeat a request after growing pauses.

A socket's time-out applies to each read alone, so a server that sends a byte now and then, or one `100 Continue` after
another, would keep a consumer waiting endlessly. The body is read into memory, so its size has a limit.
"""

from __future__ import annotations

import base64
import http.client
import math
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from newscrawl.crawling.scheduling.host import read_retry_after
from newscrawl.model.identity.masking import MASK
from newscrawl.model.identity.urls import with_ascii_host

DEADLINE: Final = 60.0
"""Seconds from the first byte of the request to the last byte of the answer."""
CHUNK: Final = 1 << 16
MIN_SECRET: Final = 4
"""Characters of a piece of an address that is masked where an answer repeats it."""
MAX_PAUSE: Final = 30.0
"""Seconds. A receiver that asks for a longer pause (Retry-After) is not waited for here."""
TOO_LARGE: Final = 413
LATER: Final = frozenset({408, 425, 429})
"""Statuses after which the receiver may accept the same later, as after any 5xx, and if it gave no answer."""


class ExchangeError(Exception):
    """The server gave no usable answer. The message says why and contains no address."""


@dataclass(frozen=True, slots=True)
class ReceiverAnswer:
    """An answer. If the body is larger than the limit, `is_complete` is False and `body` has its first bytes.
    `retry_after` is the pause in seconds that the receiver asks for (Retry-After), 0 if it asks for none."""

    status: int
    body: bytes
    is_complete: bool = True
    retry_after: float = 0.0


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something was not accepted: the reason in one line without secrets, and the pause that the receiver asked
    for, as in ReceiverAnswer."""

    reason: str
    retry_after: float = 0.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may take: seconds for connecting and for each read, seconds for the whole answer, and bytes of
    the answer that are read."""

    timeout: float
    deadline: float
    max_bytes: int


def connection_to(parts: SplitResult, timeout: float) -> http.client.HTTPConnection:
    """Returns a connection that is not open yet. `timeout` is in seconds, for connecting and for each read."""
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=timeout)


def web_address(text: str) -> SplitResult | None:
    """Returns the parts of an http(s) address to which a request can be sent, with the host in ASCII form; None for
    anything else. Only the host may contain other characters than ASCII."""
    try:
        text = with_ascii_host(text)
        parts = urlsplit(text)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an impossible host, a port that is no number, an unclosed bracket
        return None
    return parts if usable and all(32 < ord(character) < 127 for character in text) else None


def shown(url: str) -> str:
    """Returns scheme, host and port. The path is left out, because with some services it is a secret."""
    return origin(urlsplit(with_ascii_host(url)))


def origin(parts: SplitResult) -> str:
    """Returns scheme, host and port of an address."""
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{f':{parts.port}' if parts.port else ''}"


def credentials(parts: SplitResult) -> dict[str, str]:
    """Returns the header for user and password of an address (Basic authentication); {} if it names no user."""
    if parts.username is None:
        return {}
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def secrets_of(parts: SplitResult) -> tuple[bytes, ...]:
    """Returns the secrets of an address, the longest first: path, segments of the path, query, values of parameters,
    user, password and the header of `credentials`.

    A server may repeat them in its answer, and messages must not show them. Pieces shorter than `MIN_SECRET` are left
    out, because they may be ordinary words.
    """
    raw = {parts.path, parts.query, parts.username or "", parts.password or "", *parts.path.split("/")}
    raw |= {part.partition("=")[2] for part in parts.query.split("&")}
    raw |= {header.removeprefix("Basic ") for header in credentials(parts).values()}
    secrets = {form for text in raw for form in (text, unquote(text)) if len(form) >= MIN_SECRET}
    return tuple(sorted((text.encode() for text in secrets), key=len, reverse=True))


def mask_secrets(body: bytes, secrets: Iterable[bytes]) -> bytes:
    """Returns the body of an answer with `***` in place of the secrets."""
    for secret in secrets:
        body = body.replace(secret, MASK.encode())
    return body


def post(
    address: SplitResult, body: bytes, limits: Limits, headers: Mapping[str, str] | None = None, said: str = "answered"
) -> Problem | None:
    """Posts JSON. Returns None if it was accepted (2xx), else why not; `said` stands before the status of an answer.
    Blocks for at most the time of the limits."""
    try:
        answer = post_once(address, body, limits, {"User-Agent": "newscrawl", **(headers or {})})
    except ExchangeError as error:
        return Problem(str(error))
    if 200 <= answer.status < 300:
        return None
    return Problem(f"{said} {answer.status}", answer.retry_after)


def post_once(
    address: SplitResult, body: bytes, limits: Limits, headers: Mapping[str, str] | None = None
) -> ReceiverAnswer:
    """Posts JSON over a connection of its own. Redirects are not followed. Raises ExchangeError."""
    connection = connection_to(address, limits.timeout)
    path = (address.path or "/") + (f"?{address.query}" if address.query else "")
    sent = {"Content-Type": "application/json", "Connection": "close", **(headers or {}), **credentials(address)}
    try:
        return exchange(connection, "POST", path, body, sent, max_bytes=limits.max_bytes, deadline=limits.deadline)
    finally:
        connection.close()


def exchange(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: bytes | None,
    headers: Mapping[str, str],
    *,
    max_bytes: int,
    deadline: float = DEADLINE,
) -> ReceiverAnswer:
    """Sends the request and reads at most `max_bytes` bytes of the answer's body, within `deadline` seconds.

    Opens the connection if it is not open, and closes it unless the whole answer was read. Raises ExchangeError.
    """
    expired = threading.Event()
    try:
        if connection.sock is None:
            connection.connect()
        opened = connection.sock  # http.client forgets the socket once the server says that it closes
        with shut_down_after(deadline, lambda: opened, expired):
            was_refused = False
            try:
                connection.request(method, path, body, dict(headers))
            except (BrokenPipeError, ConnectionResetError):
                was_refused = True  # a server may send a refusal before it has read the whole body
            response = connection.getresponse()
            content = _read(response, max_bytes + 1)
            if was_refused:
                connection.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        connection.close()
        raise ExchangeError(_timeout_message(deadline) if expired.is_set() else _error_message(error)) from error
    if expired.is_set():  # the shut connection looked like the end of the body
        connection.close()
        raise ExchangeError(_timeout_message(deadline))
    if len(content) > max_bytes:
        connection.close()
        return ReceiverAnswer(response.status, content[:max_bytes], is_complete=False)
    rest = read_retry_after(response.getheader("Retry-After"), datetime.now(UTC)) or 0.0
    return ReceiverAnswer(response.status, content, retry_after=rest)


@contextmanager
def shut_down_after(
    seconds: float, opened: Callable[[], socket.socket | None], expired: threading.Event
) -> Iterator[None]:
    """Shuts an open connection down after `seconds`, and sets `expired`. A reader then gets the end of the stream."""

    def end() -> None:
        expired.set()
        if (ended := opened()) is not None:
            with suppress(OSError):  # SSLSocket's own method changes state that the reader uses
                socket.socket.shutdown(ended, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _read(response: http.client.HTTPResponse, most: int) -> bytes:
    """Reads the first `most` bytes of the body in pieces, so that a false Content-Length allocates no memory."""
    pieces: list[bytes] = []
    size = 0
    while size < most and (piece := response.read(min(CHUNK, most - size))):
        pieces.append(piece)
        size += len(piece)
    if size < most and response.length:  # http.client reports a truncated body only if it is read in one piece
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces)


def _timeout_message(deadline: float) -> str:
    return f"its answer was not complete after {deadline:g} seconds"


def _error_message(error: BaseException) -> str:
    """Returns the error in one line, without quotations from the answer."""
    if isinstance(error, http.client.RemoteDisconnected):
        return "it closed the connection without an answer"
    if isinstance(error, http.client.HTTPException):
        return f"its answer is not HTTP ({type(error).__name__})"
    return " ".join(str(error).split())[:200] or type(error).__name__


class Piece(NamedTuple):
    """A change or a document as it is sent, with the number by which a refusal is reported."""

    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to a sink: its status, 0 for none; what is wrong with it; its content; the seconds of its Retry-After,
    0 without one. `is_usable` is False for an answer that such a receiver never gives, such as the page of a proxy."""

    status: int
    problem: str
    content: Any = None
    retry_after: float = 0.0
    is_usable: bool = True

    @property
    def is_temporary(self) -> bool:
        """Whether the receiver may accept the same later."""
        return self.status == 0 or self.status >= 500 or self.status in LATER


def attempt(
    once: Callable[[float], Reply],
    *,
    attempts: int,
    first_pause: float,
    sleep: Callable[[float], None],
    patience: float = math.inf,
) -> Reply:
    """Returns the first reply of `once` that is final, or the last of `attempts`. Pauses double up to `MAX_PAUSE`, and
    are as long as the receiver asks for. `once` gets the seconds that are left of `patience`; with a pause that does
    not fit into these, or one longer than `MAX_PAUSE`, the reply before it is the last one."""
    end, pause = time.monotonic() + patience, first_pause
    while True:
        reply = once(end - time.monotonic())
        attempts -= 1
        rest = max(pause, reply.retry_after)
        if not reply.is_temporary or not attempts or rest > min(MAX_PAUSE, end - time.monotonic() - 1.0):
            return reply
        sleep(rest)
        pause = min(2 * pause, MAX_PAUSE)


def bodies(pieces: Iterable[Piece], most: int) -> Iterator[list[Piece]]:
    """Yields the pieces in lists whose data have at most `most` bytes with one byte around each, or of one piece."""
    body: list[Piece] = []
    size = 1
    for piece in pieces:
        if body and size + len(piece.data) + 1 > most:
            yield body
            body, size = [], 1
        body.append(piece)
        size += len(piece.data) + 1
    if body:
        yield body
