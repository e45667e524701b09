"""Values that several views in a row may share: they are made again when they are some seconds old."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from newscrawl.errors import NewscrawlError

logger = logging.getLogger(__name__)

T = TypeVar("T")

MAX_VALUES: Final = 5_000
"""Values that are kept. When there are more, all are dropped."""
WAIT: Final = 0.1
"""Seconds that a view waits for a shared value that is made anew. A small fleet's is made in less, so that its pages
show nothing older than the value's life."""


@dataclass(slots=True)
class Recent:
    """A memory of values by key, for the threads of one process. `wait` is WAIT."""

    wait: float = WAIT
    _values: dict[Hashable, tuple[datetime, Any]] = field(default_factory=dict)
    _making: dict[Hashable, Lock] = field(default_factory=dict)
    _cleared: int = 0
    """How often everything was forgotten."""
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Hashable, now: datetime, life: timedelta, make: Callable[[], T]) -> T:
        """Returns the value of a key, made anew if it is older than `life`. Two threads may make it at once. One that
        is made while everything is forgotten is not kept: it may lack what was changed."""
        found: T | None = self.known(key, now, life)
        if found is not None:
            return found
        before = self._cleared
        made = make()
        if self._cleared == before:
            self.put(key, now, made)
        return made

    def shared(self, key: Hashable, now: datetime, life: timedelta, stale: timedelta, make: Callable[[], T]) -> T:
        """Returns the value of a key as `get` does. A value that is older than `life`, but not than `stale`, is made
        anew by a thread, in which `make` runs: one view waits for the thread `wait` seconds at most, the others not at
        all, and they show the old value meanwhile. Without a value one view makes it, and the others wait for it."""
        with self._lock:
            making = self._making.setdefault(key, Lock())
        old: T | None = self.known(key, now, stale)
        if old is None:
            with making:
                return self.get(key, now, stale, make)
        if self.known(key, now, life) is None:
            thread = Thread(target=self._renew, args=(key, now, life, make, making), daemon=True)
            thread.start()
            thread.join(self.wait)
        newest: T | None = self.known(key, now, stale)
        return newest if newest is not None else old

    def _renew(self, key: Hashable, now: datetime, life: timedelta, make: Callable[[], object], making: Lock) -> None:
        if not making.acquire(blocking=False):  # another thread makes it
            return
        try:
            self.get(key, now, life, make)
        except NewscrawlError as error:  # the next view tries again, and tells whoever looks
            logger.warning("cannot read the state of the sites: %s", error)
        finally:
            making.release()

    def known(self, key: Hashable, now: datetime, life: timedelta) -> Any:
        """Returns the value of a key; None if there is none, or if it is older than `life`."""
        with self._lock:
            made_at, value = self._values.get(key, (None, None))
        return value if made_at is not None and timedelta() <= now - made_at < life else None

    def put(self, key: Hashable, now: datetime, value: Any) -> None:
        """Remembers a value that was made now."""
        with self._lock:
            if len(self._values) >= MAX_VALUES:
                self._values.clear()
            self._values[key] = (now, value)

    def clear(self) -> None:
        """Forgets everything: something was changed."""
        with self._lock:
            self._values.clear()
            self._cleared += 1
