"""Sends the feed as POST requests with a JSON array of entries, with a limited number of retries and growing pauses.

The address is given by the operator. Redirects are not followed. A body that the receiver refuses is halved until the
refused change is alone. That change is recorded as refused, and the others are sent in order.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, urlsplit

from newscrawl.config.logs.terminal import escaped
from newscrawl.errors import FeedBusy, FeedError, UsageError
from newscrawl.model.identity.masking import without_users
from newscrawl.model.identity.urls import with_ascii_host
from newscrawl.model.jsonable import to_text
from newscrawl.publishing.deliver.http import (
    DEADLINE,
    TOO_LARGE,
    ExchangeError,
    Limits,
    Piece,
    Reply,
    attempt,
    bodies,
    mask_secrets,
    origin,
    post_once,
    secrets_of,
    shown,
    web_address,
)
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkOptions, SinkPosition, SinkType, as_json

ATTEMPTS: Final = 6
FIRST_PAUSE: Final = 0.5
PATIENCE: Final = 120.0
"""Seconds for all attempts to send one body, with the pauses between them."""
TIMEOUT: Final = 30.0
"""Seconds, for connecting and for each read."""
MAX_BYTES: Final = 900_000
"""Bytes of one body. By default nginx refuses bodies above 1 MB (client_max_body_size)."""
MAX_ANSWER: Final = 1_000_000
"""Bytes of an answer that are read."""
MAX_WORDS: Final = 20_000
"""Bytes of a refusal that are searched for words."""
REFUSED: Final = frozenset({400, 422})
"""The receiver refuses this body, because of one change in it or of every change."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """POSTs to `url`. A 2xx answer accepts the entries. After 408, 425, 429, 5xx and failed connections it tries again.

    `url` may contain credentials (`https://USER:PASSWORD@HOST/`), which are sent by Basic authentication. `max_bytes`
    limits a body; a larger change is sent alone. `deadline` limits one whole answer, and `patience` all attempts to
    send a body, in seconds.
    """

    url: str
    attempts: int = ATTEMPTS
    first_pause: float = FIRST_PAUSE
    sleep: Callable[[float], None] = time.sleep
    max_bytes: int = MAX_BYTES
    deadline: float = DEADLINE
    patience: float = PATIENCE

    def __post_init__(self) -> None:
        if web_address(self.url) is None:
            raise UsageError(
                "the webhook has no usable http(s) address: write it like webhook:https://HOST/PATH, with %C3%A9 for é "
                "after the host"
            )

    def position(self) -> SinkPosition:
        return SinkPosition(address_id(self.url))

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Sends the entries in order. Returns which were accepted and which the receiver refused."""
        step = _Step()
        pieces = (Piece(entry.article_id, to_text(as_json(entry)).encode()) for entry in entries)
        for part in bodies(pieces, self.max_bytes):
            self._send(part, step)
        if step.doubtful and not step.accepted:
            raise FeedError(self._message(f"{next(iter(step.doubtful.values()))}, for each of them"))
        return Delivery(frozenset(step.accepted), step.refused | step.doubtful)

    def _send(self, part: Sequence[Piece], step: _Step) -> None:
        """Sends a part, and halves it as long as the receiver refuses it. Raises FeedError if sending has to stop."""
        body = b"[" + b",".join(piece.data for piece in part) + b"]"
        reply = attempt(
            lambda left: self._post(body, min(self.deadline, left)),
            attempts=self.attempts,
            first_pause=self.first_pause,
            sleep=self.sleep,
            patience=self.patience,
        )
        status, problem = reply.status, reply.problem
        if 200 <= status < 300:
            step.accepted.update(piece.number for piece in part)
        elif reply.is_temporary:
            raise FeedBusy(self._message(problem), reply.retry_after)
        elif status != TOO_LARGE and status not in REFUSED:
            raise FeedError(self._message(problem))
        elif len(part) > 1:
            self._send(part[: len(part) // 2], step)
            self._send(part[len(part) // 2 :], step)
        elif status == TOO_LARGE:
            step.refused[part[0].number] = f"{problem} ({len(part[0].data)} bytes)"
        else:
            step.doubtful[part[0].number] = problem

    def _post(self, body: bytes, deadline: float) -> Reply:
        parts = _parsed(self.url)
        try:
            answer = post_once(parts, body, Limits(min(TIMEOUT, deadline), deadline, MAX_ANSWER))
        except ExchangeError as error:
            return Reply(0, str(error))
        words = mask_secrets(answer.body[:MAX_WORDS], secrets_of(parts))
        rest = answer.retry_after
        asked = f", and asked for a pause of {rest:.0f} s" if rest else ""
        return Reply(answer.status, f"it answered {answer.status}{_words(words)}{asked}", retry_after=rest)

    def _message(self, problem: str) -> str:
        return f"webhook {shown(self.url)} did not take changes: {problem}; the next run sends them again"

    def close(self) -> None:
        """Does nothing: no connection stays open."""


@dataclass(slots=True)
class _Step:
    """The results of the changes of one step by article id. A change refused with 400 or 422 is `doubtful` until
    another one of the step was accepted: a receiver that accepts none may be broken, or the wrong one."""

    accepted: set[int] = field(default_factory=set)
    refused: dict[int, str] = field(default_factory=dict)
    doubtful: dict[int, str] = field(default_factory=dict)


def _words(body: bytes) -> str:
    """Returns the beginning of the message of a refusal, on one line."""
    words = escaped(" ".join(body.decode("utf-8", "replace").split())[:200])
    return f" ({words})" if words else ""


def address_id(url: str) -> str:
    """Returns a hash of scheme, host, port and path. With another token or password the receiver is the same."""
    parts = _parsed(url)
    address = f"{origin(parts)}{parts.path or '/'}"
    return f"webhook-{hashlib.blake2b(address.encode(), digest_size=8).hexdigest()}"


def default_consumer(url: str) -> str:
    """Returns a consumer's name for an address: scheme, host and a hash, without secrets."""
    return f"webhook:{shown(url)}#{address_id(url).removeprefix('webhook-')}"


def _open(place: str, options: SinkOptions) -> Webhook:
    return Webhook(place, max_bytes=options.max_bytes or MAX_BYTES)


def _consumer(argument: str) -> str:
    place = argument.partition(":")[2]
    return default_consumer(place) if web_address(place) else without_users(argument)


def _shown(argument: str) -> str:
    place = argument.partition(":")[2]
    return f"webhook:{shown(place)}" if web_address(place) else "webhook"


SINK: Final = SinkType("webhook:URL", _open, _consumer, _shown)


def _parsed(url: str) -> SplitResult:
    """Returns the parts of an address that `web_address` accepts."""
    return urlsplit(with_ascii_host(url))
