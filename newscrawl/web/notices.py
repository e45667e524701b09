"""The result of an action, kept until the browser that asked for it has read it on the next page.

A POST is answered with a redirect, so that loading the page again does not repeat the action.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Final

MAX_WAITING: Final = 100
"""Sessions whose notice waits. The oldest notice is dropped for another one."""


class Notices:
    """The sentences that wait for each session, by its name. They are kept in memory only: one may hold the secret
    address of a feed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[str, tuple[str, ...]] = {}

    def put(self, session: str, sentences: Sequence[str]) -> None:
        """Keeps the sentences of an action for the next page of a session."""
        with self._lock:
            self._waiting.pop(session, None)
            while len(self._waiting) >= MAX_WAITING:
                del self._waiting[next(iter(self._waiting))]
            self._waiting[session] = tuple(sentences)

    def take(self, session: str) -> tuple[str, ...]:
        """Returns the sentences that wait for a session, which are then gone."""
        with self._lock:
            return self._waiting.pop(session, ())
