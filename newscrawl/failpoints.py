"""Places where a test may kill the process, to show that nothing is lost or doubled by dying there.

Set NEWSCRAWL_FAILPOINT to a name from `NAMES` (or `name:3` for the third time it is reached); unset, a failpoint costs
one look at a constant.
"""

from __future__ import annotations

import os
import signal
from typing import Final

AFTER_EXTRACTION: Final = "after-extraction"
MID_TRANSACTION: Final = "mid-transaction"
AFTER_COMMIT: Final = "after-commit"
AFTER_SOURCE_ANSWER: Final = "after-source-answer"

NAMES: Final = (AFTER_EXTRACTION, MID_TRANSACTION, AFTER_COMMIT, AFTER_SOURCE_ANSWER)


class _Trigger:
    """Counts down the hits of the one armed failpoint."""

    def __init__(self, armed: str | None) -> None:
        name, _, count = (armed or "").partition(":")
        self.name = name
        self.left = int(count or 1)

    def hit(self, name: str) -> None:
        if name != self.name:
            return
        self.left -= 1
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)


hit = _Trigger(os.environ.get("NEWSCRAWL_FAILPOINT")).hit
