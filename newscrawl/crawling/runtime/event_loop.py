"""The event loop of a crawl: its turns are short, so that whatever is due is late by little."""

from __future__ import annotations

import asyncio
import selectors
from collections import deque
from typing import Any


class OneAtATime(selectors.DefaultSelector):
    """Tells of one event at a time. Whatever else has come waits for the next call, before the system is asked again.

    A turn of asyncio's loop serves all events that it is told of, and looks at its clock once: the answers of six hosts
    that come together would be six pieces of work without a break.
    """

    def __init__(self) -> None:
        super().__init__()
        self._come: deque[tuple[selectors.SelectorKey, int]] = deque()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if not self._come:
            self._come.extend(super().select(timeout))
        return [self._come.popleft()] if self._come else []

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = super().register(fileobj, events, data)
        self._forget(key)  # of a socket that had the number before, and was closed without a word
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        key = super().unregister(fileobj)
        self._forget(key)
        return key

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = super().modify(fileobj, events, data)
        self._forget(key)
        return key

    def _forget(self, key: selectors.SelectorKey) -> None:
        """What had come for it was meant for what was registered then; what is still so will come again."""
        if self._come:
            self._come = deque(one for one in self._come if one[0].fd != key.fd)


class ShortTurns(asyncio.SelectorEventLoop):
    """asyncio's loop with such a selector."""

    def __init__(self) -> None:
        super().__init__(OneAtATime())
