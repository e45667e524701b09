"""The feed as POST requests: a JSON array of entries each, tried again with growing pauses, a bounded number of times.

The address is the operator's own. Redirects are not followed. A body that the receiver refuses is halved until the
change that it refuses stands alone; that change is set aside, and the others go on in order.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, urlsplit

from newscrawl.errors import FeedError, UsageError
from newscrawl.feed.document import as_json, plain
from newscrawl.feed.exchange import (
    DEADLINE,
    ExchangeError,
    connection_to,
    credentials,
    exchange,
    secrets_of,
    web_address,
    without,
)
from newscrawl.feed.sink import Delivery, Entry, SinkPosition
from newscrawl.identity.urls import with_ascii_host
from newscrawl.terminal import escaped

ATTEMPTS: Final = 6
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
TIMEOUT: Final = 30.0
"""Seconds, for connecting and for each read."""
MAX_BYTES: Final = 900_000
"""Of one body: nginx refuses bodies above 1 MB unless it is told otherwise (client_max_body_size)."""
MAX_ANSWER: Final = 1_000_000
"""Bytes that are read of an answer."""
MAX_WORDS: Final = 20_000
"""Bytes of a refusal that are searched for words."""
TOO_LARGE: Final = 413
REFUSED: Final = frozenset({400, 422})
"""The receiver does not want this body. It may be one change in it, or every change."""
LATER: Final = frozenset({408, 425, 429})
"""The receiver may take the same body later, as it may after any 5xx."""
ADDRESS_CHARACTERS: Final = 192
"""Of an address that count in its hash: as many as cursors kept of it before revision 0013."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """POSTs to `url`. A 2xx answer takes the entries; 408, 425, 429, 5xx and failed connections are tried again.

    `url` may hold credentials (`https://USER:PASSWORD@HOST/`), which are sent as Basic ones. `max_bytes` bounds a body;
    a change that is larger is sent alone. `deadline` in seconds holds for one whole answer.
    """

    url: str
    attempts: int = ATTEMPTS
    first_pause: float = FIRST_PAUSE
    sleep: Callable[[float], None] = time.sleep
    max_bytes: int = MAX_BYTES
    deadline: float = DEADLINE

    def __post_init__(self) -> None:
        if web_address(self.url) is None:
            raise UsageError(
                "the webhook has no http(s) address that can be asked: write it like webhook:https://HOST/PATH, with "
                "%C3%A9 for é behind the host"
            )

    def position(self) -> SinkPosition:
        return SinkPosition(address_id(self.url))

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Sends the entries in order; returns which of them were taken, and which the receiver will not take."""
        step = _Step()
        for part in _parts(entries, self.max_bytes):
            self._send(part, step)
        if step.doubtful and not step.accepted:
            raise self._stopped(f"{next(iter(step.doubtful.values()))}, for each of them")
        return Delivery(frozenset(step.accepted), step.refused | step.doubtful)

    def _send(self, part: Sequence[_Change], step: _Step) -> None:
        """Sends a part; halves it as long as the receiver refuses it. Raises FeedError where it takes nothing."""
        status, problem = self._post_until_answered(b"[" + b",".join(change.data for change in part) + b"]")
        if 200 <= status < 300:
            step.accepted.update(change.article_id for change in part)
        elif status != TOO_LARGE and status not in REFUSED:
            raise self._stopped(problem)
        elif len(part) > 1:
            self._send(part[: len(part) // 2], step)
            self._send(part[len(part) // 2 :], step)
        elif status == TOO_LARGE:
            step.refused[part[0].article_id] = f"{problem} ({len(part[0].data)} bytes)"
        else:
            step.doubtful[part[0].article_id] = problem

    def _post_until_answered(self, body: bytes) -> tuple[int, str]:
        """The status of an answer that is final and what it says; 0 where there was none in all attempts."""
        pause, status, problem = self.first_pause, 0, ""
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            status, problem = self._post(body)
            if 0 < status < 500 and status not in LATER:
                break
        return status, problem

    def _post(self, body: bytes) -> tuple[int, str]:
        parts = _parsed(self.url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Content-Type": "application/json", "Connection": "close"} | credentials(parts)
        connection = connection_to(parts, min(TIMEOUT, self.deadline))
        try:
            answer = exchange(connection, "POST", path, body, headers, most=MAX_ANSWER, deadline=self.deadline)
        except ExchangeError as error:
            return 0, str(error)
        finally:
            connection.close()
        said = without(answer.body[:MAX_WORDS], secrets_of(parts))
        return answer.status, f"it answered {answer.status}{_words(said)}"

    def _stopped(self, problem: str) -> FeedError:
        return FeedError(f"webhook {shown(self.url)} did not take changes: {problem}; they are sent again next time")

    def close(self) -> None:
        """Nothing is kept open."""


@dataclass(frozen=True, slots=True)
class _Change:
    article_id: int
    data: bytes


@dataclass(slots=True)
class _Step:
    """What became of the changes of one step, by article. A change refused with 400 or 422 is `doubtful` until another
    one of the step was accepted: a receiver that accepts none may be broken, or be the wrong one."""

    accepted: set[int] = field(default_factory=set)
    refused: dict[int, str] = field(default_factory=dict)
    doubtful: dict[int, str] = field(default_factory=dict)


def _parts(entries: Sequence[Entry], most: int) -> Iterator[list[_Change]]:
    """The entries as JSON, in bodies of at most `most` bytes or of one change."""
    part: list[_Change] = []
    size = 2
    for entry in entries:
        data = json.dumps(as_json(entry), ensure_ascii=False, default=plain).encode()
        if part and size + len(data) + 1 > most:
            yield part
            part, size = [], 2
        part.append(_Change(entry.article_id, data))
        size += len(data) + 1
    if part:
        yield part


def _words(body: bytes) -> str:
    """The beginning of what a receiver says of a refusal, on one line."""
    words = escaped(" ".join(body.decode("utf-8", "replace").split())[:200])
    return f" ({words})" if words else ""


def address_id(url: str) -> str:
    """A hash of scheme, host, port and path: a new token or password in the address is the same receiver."""
    parts = _parsed(url)
    address = f"{_origin(parts)}{parts.path or '/'}"[:ADDRESS_CHARACTERS]
    return f"webhook-{hashlib.blake2b(address.encode(), digest_size=8).hexdigest()}"


def default_consumer(url: str) -> str:
    """The consumer's name where the operator gives none: it tells scheme and host, and holds no secret."""
    return f"webhook:{shown(url)}#{address_id(url).removeprefix('webhook-')}"


def shown(url: str) -> str:
    """Scheme, host and port: the path may be a secret, as some services have it."""
    return _origin(_parsed(url))


def _parsed(url: str) -> SplitResult:
    """The parts of an address that `web_address` takes."""
    return urlsplit(with_ascii_host(url))


def _origin(parts: SplitResult) -> str:
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{f':{parts.port}' if parts.port else ''}"
