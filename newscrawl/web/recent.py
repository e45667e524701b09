"""Values that several views in a row may share: they are made again when they are some seconds old."""

from __future__ import annotations

import logging
import time
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

MAX_SHARE: Final = 0.02
"""Share of a core that making one value again may take, however often it is viewed: a value that takes half a second is
made every 25 seconds. A crawl beside the pages may lose 2 % (docs/measurements/web.md)."""

QUICK: Final = 0.1
"""CPU seconds within which a shared value is made while a view waits, so that it is never older than its life."""


@dataclass(slots=True)
class Recent:
    """A memory of values by key, for the threads of one process. `quick` is QUICK."""

    quick: float = QUICK
    _values: dict[Hashable, tuple[datetime, Any]] = field(default_factory=dict)
    _refreshing: set[Hashable] = field(default_factory=set)
    _making: dict[Hashable, Lock] = field(default_factory=dict)
    _seconds: dict[Hashable, float] = field(default_factory=dict)
    """CPU seconds that making a shared value took at last."""
    _cleared: int = 0
    """How often everything was forgotten."""
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Hashable, now: datetime, life: timedelta, make: Callable[[], T]) -> T:
        """Returns the value of a key, made anew if it is older than `life`. Two threads may make it at once."""
        found = self.known(key, now, life)
        if found is not None:
            value: T = found
            return value
        return self._made(key, now, make)

    def _made(self, key: Hashable, now: datetime, make: Callable[[], T]) -> T:
        """Makes a value, and remembers it unless everything was forgotten meanwhile: it may lack what was changed."""
        before = self._cleared
        made = make()
        if self._cleared == before:
            self.put(key, now, made)
        return made

    def shared(self, key: Hashable, now: datetime, life: timedelta, stale: timedelta, make: Callable[[], T]) -> T:
        """Returns the value of a key as `get` does. One whose making is not quick is returned at once while it is older
        than `life`, but not than `stale`, and a thread makes it anew: nobody waits for it while people look. `make`
        runs in that thread. Without a value one thread makes it, and the others wait for it. A value whose making takes
        more than MAX_SHARE of `life` lives longer, at most as long as `stale`."""
        seconds = self._seconds.get(key, 0.0)
        longest = life if seconds < self.quick else stale
        old = self.known(key, now, longest)
        if old is None:
            with self._lock:
                making = self._making.setdefault(key, Lock())
            with making:
                return self.get(key, now, longest, lambda: self._timed(key, make))
        if self.known(key, now, max(life, timedelta(seconds=seconds / MAX_SHARE))) is None:
            with self._lock:
                is_first = key not in self._refreshing
                self._refreshing.add(key)
            if is_first:
                Thread(target=self._refresh, args=(key, now, make), name="newscrawl-web-refresh", daemon=True).start()
        value: T = old
        return value

    def _timed(self, key: Hashable, make: Callable[[], T]) -> T:
        began = time.thread_time()
        made = make()
        self._seconds[key] = time.thread_time() - began
        return made

    def _refresh(self, key: Hashable, now: datetime, make: Callable[[], object]) -> None:
        try:
            self._made(key, now, lambda: self._timed(key, make))
        except NewscrawlError as error:  # the next view tries again, and tells whoever looks
            logger.warning("cannot read the state of the sites: %s", error)
        finally:
            with self._lock:
                self._refreshing.discard(key)

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
