"""Reads an object as a file, in ranges."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

BLOCK: Final = 8 << 20
"""Bytes of a range. A file is searched from its begin to its end, so large ranges make few requests."""


class ObjectReader(io.RawIOBase):
    """An object of `size` bytes. `fetch(offset, length)` returns a range; the last one is kept. Each range is fetched
    within a context that `fetching` makes. `on_close` is called when the file is closed."""

    fetching: Callable[[], AbstractContextManager[Any]]

    def __init__(
        self,
        fetch: Callable[[int, int], bytes],
        size: int,
        block: int = BLOCK,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self._fetch = fetch
        self._size = size
        self._block = block
        self._on_close = on_close
        self._position = 0
        self._start = 0
        self._data = b""
        self.fetching = nullcontext

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        if not self.closed and self._on_close is not None:
            self._on_close()
        super().close()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._position >= self._size:
            return 0
        if not self._start <= self._position < self._start + len(self._data):
            self._start = self._position - self._position % self._block
            with self.fetching():
                self._data = self._fetch(self._start, min(self._block, self._size - self._start))
        at = self._position - self._start
        part = self._data[at : at + len(buffer)]
        buffer[: len(part)] = part
        self._position += len(part)
        return len(part)
