"""How long tests wait for what must happen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

PATIENCE: Final = 240.0
"""Seconds until a test takes something for not happening at all: what happens is never waited for so long, whatever
else the machine does, and only a failure costs them."""
POLL_SECONDS: Final = 0.05

T = TypeVar("T")


def wait_until(condition: Callable[[], T], patience: float = PATIENCE) -> T:
    """What the condition returns once that is true."""
    until = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < until, f"it did not happen in {patience:g} seconds"
        time.sleep(POLL_SECONDS)
    return found
