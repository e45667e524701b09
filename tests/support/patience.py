"""How long tests wait for results."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final, TypeVar

PATIENCE: Final = 240.0
"""Seconds until a test takes something for not happening at all: what happens is never waited for so long, whatever
else the machine does, and only a failure costs them."""
LIMITS: Final = (2.0, 15.0, PATIENCE)
"""Seconds that something endless is allowed in a test that needs it to be stopped, one after the other: a limit that is
too short for the rest as well says something of the machine and nothing of the code."""
POLL_SECONDS: Final = 0.05
LOG_END: Final = 10_000
"""Characters of a log that a failure shows."""

T = TypeVar("T")


def under_limits(attempt: Callable[[float], T], is_right: Callable[[T], bool]) -> T:
    """Returns the result of the attempt under the first time limit with which it is right, or under the last."""
    for limit in LIMITS:
        if is_right(found := attempt(limit)):
            break
    return found


def wait_until(condition: Callable[[], T], patience: float = PATIENCE, *, logs: Collection[Path] = ()) -> T:
    """Waits until the condition is true, and returns its value. A failure shows the ends of the logs."""
    until = time.monotonic() + patience
    while not (found := condition()):
        if time.monotonic() > until:
            ends = "\n".join(f"{log}:\n{log.read_text('utf-8', 'replace')[-LOG_END:]}" for log in logs if log.exists())
            raise AssertionError(f"it did not happen in {patience:g} seconds\n{ends}")
        time.sleep(POLL_SECONDS)
    return found
