"""What a crawl's process changes in the interpreter, so that its event loop is not kept waiting."""

from __future__ import annotations

import gc
import sys
from typing import Final

_BETWEEN: Final = (50_000, 10, 10)
"""When the garbage collector looks: at new objects when they are so many more than at its last look, at those that
survived after so many looks, and at all. The pages under way are 20,000 objects, and nearly nothing of them is garbage
that only it can find (two objects a page, fifty a connection, none of which holds a page of ours): at 2,000 it looked
through all of them eight times a second, for 4 to 9 ms each."""
_BYTES_BETWEEN: Final = 32 << 20
"""So many bytes of answers make it look, too. It counts objects, and a spider of somebody else's may leave pages in
cycles: one with a selector, which Scrapy has the page keep, or one whose callback raises."""
_SWITCH_SECONDS: Final = 0.0005
"""Whenever the loop sends or reads, the thread that stores may take the interpreter, and has it for so long."""


def tune_interpreter() -> None:
    """To be called when all is imported and open: what is there by then stays until the end, so the garbage collector
    does not look through it again, which would stop the loop for a tenth of a second each time."""
    gc.freeze()
    gc.set_threshold(*_BETWEEN)
    sys.setswitchinterval(_SWITCH_SECONDS)


class Sweeper:
    """Has the garbage collector look at what is new whenever so many bytes have come."""

    def __init__(self) -> None:
        self._come = 0

    def received(self, size: int) -> None:
        """So many bytes more have come."""
        self._come += size
        if self._come >= _BYTES_BETWEEN:
            self._come = 0
            gc.collect(1)
