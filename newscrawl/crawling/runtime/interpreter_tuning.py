"""Interpreter settings of a crawl's process that keep the garbage collector and threads from delaying its event
loop."""

from __future__ import annotations

import gc
import sys
from typing import Final

_BETWEEN: Final = (50_000, 3, 1)
"""Thresholds for gc.set_threshold: the youngest generation is collected after 50,000 net new objects, the middle one
after 4 such collections, all after 2 of those. The usual 10 and 10 let the crawls that have ended, which are
reference cycles, grow to tens of MB in `newscrawl run` (docs/measurements/fleet.md). Pages in progress are about 20,000
objects, and nearly none of them is cyclic garbage (two objects a page, fifty a connection). With a threshold of 2,000
the collector scanned them all eight times a second, for 4 to 9 ms each."""
_BYTES_BETWEEN: Final = 32 << 20
"""A collection is also forced after this many bytes of answers. The collector counts objects, not bytes, and an
operator's spider may leave pages in reference cycles: a response keeps its selector, and an exception its frames."""
_SWITCH_SECONDS: Final = 0.0005
"""Interpreter switch interval in seconds: how long the storing thread may hold the interpreter after the event loop
released it to send or read."""


def tune_interpreter() -> None:
    """Applies the settings. Call it after all imports: the objects that exist by then stay until the end, so they are
    excluded from garbage collection, which would stop the loop for a tenth of a second each time."""
    gc.freeze()
    gc.set_threshold(*_BETWEEN)
    sys.setswitchinterval(_SWITCH_SECONDS)


class CollectionByBytes:
    """Runs a garbage collection of the young generations after every `_BYTES_BETWEEN` bytes of answers."""

    def __init__(self) -> None:
        self._received = 0

    def received(self, size: int) -> None:
        """Counts the bytes of one more answer."""
        self._received += size
        if self._received >= _BYTES_BETWEEN:
            self._received = 0
            gc.collect(1)
