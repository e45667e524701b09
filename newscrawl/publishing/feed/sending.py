"""What webhook and search server have in common: bodies of limited size, and attempts with growing pauses."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

MAX_PAUSE: Final = 30.0
"""Seconds. A receiver that asks for a longer pause (Retry-After) is not waited for here."""
TOO_LARGE: Final = 413
LATER: Final = frozenset({408, 425, 429})
"""Statuses after which the receiver may accept the same later, as after any 5xx, and if it gave no answer."""


class Piece(NamedTuple):
    """A change or a document as it is sent, with the number by which a refusal is reported."""

    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its status, 0 for none; what is wrong with it; its content; the seconds of its Retry-After, 0 without
    one. `is_usable` is False for an answer that such a receiver never gives, such as the page of a proxy."""

    status: int
    problem: str
    content: Any = None
    retry_after: float = 0.0
    is_usable: bool = True

    @property
    def is_temporary(self) -> bool:
        """Whether the receiver may accept the same later."""
        return is_temporary(self.status)


def is_temporary(status: int) -> bool:
    """Returns whether a receiver that answered so may accept the same later. `status` is 0 for no answer."""
    return status == 0 or status >= 500 or status in LATER


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
