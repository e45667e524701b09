"""What a crawl's process changes in the interpreter, so that its event loop is not kept waiting."""

from __future__ import annotations

import gc
import sys
from typing import Final

_BETWEEN: Final = (2_000, 50, 10)
"""When the garbage collector looks: after so many new objects (a page under way is dozens), at those that survived
after so many looks, and at all. Next to nothing of a crawl is garbage that only it can find."""
_SWITCH_SECONDS: Final = 0.0005
"""Whenever the loop sends or reads, the thread that stores may take the interpreter, and has it for so long."""


def be_prompt() -> None:
    """To be called when all is imported and open: what is there by then stays until the end, so the garbage collector
    does not look through it again, which would stop the loop for a tenth of a second each time."""
    gc.freeze()
    gc.set_threshold(*_BETWEEN)
    sys.setswitchinterval(_SWITCH_SECONDS)
