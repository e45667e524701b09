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
ARCHIVE_HALF: Final = "archive-half"
"""Half of a batch's bytes are in the archive."""
ARCHIVE_WRITTEN: Final = "archive-written"
"""All of them are, and not yet surely on the disk."""
ARCHIVE_SYNCED: Final = "archive-synced"
ARCHIVE_ROTATED: Final = "archive-rotated"
"""A full file is closed, the next one not yet begun."""
ARCHIVE_DELETED: Final = "archive-deleted"
"""No row points into a file any longer that is still there."""
ARCHIVE_REWRITTEN: Final = "archive-rewritten"
"""A file without what is to be forgotten lies beside the old one."""
ARCHIVE_REPLACED: Final = "archive-replaced"
"""The rows point into the new file, and the old one is still there."""
PRUNED_PART: Final = "pruned-part"
"""One transaction of an upkeep is committed, the next not yet begun."""
FEED_SENT: Final = "feed-sent"
"""A sink has taken changes, and the consumer's cursor does not say so yet."""
INDEX_HALF: Final = "index-half"
"""The search index has taken in changes and not committed them."""

ARCHIVE_NAMES: Final = (
    ARCHIVE_HALF,
    ARCHIVE_WRITTEN,
    ARCHIVE_SYNCED,
    ARCHIVE_ROTATED,
    ARCHIVE_DELETED,
    ARCHIVE_REWRITTEN,
    ARCHIVE_REPLACED,
)
FEED_NAMES: Final = (FEED_SENT, INDEX_HALF)
STORE_NAMES: Final = (AFTER_EXTRACTION, MID_TRANSACTION, AFTER_COMMIT, AFTER_SOURCE_ANSWER, PRUNED_PART)
NAMES: Final = (*STORE_NAMES, *ARCHIVE_NAMES, *FEED_NAMES)


class _Trigger:
    """Counts down the hits of the one armed failpoint."""

    def __init__(self, armed: str | None) -> None:
        self.arm(armed)
        self.others: list[int] = []

    def arm(self, armed: str | None) -> None:
        name, _, count = (armed or "").partition(":")
        self.name = name
        self.left = int(count or 1)

    def hit(self, name: str) -> None:
        if name != self.name:
            return
        self.left -= 1
        if self.left <= 0:
            for process in (*self.others, os.getpid()):
                os.kill(process, signal.SIGKILL)


_trigger = _Trigger(os.environ.get("NEWSCRAWL_FAILPOINT"))
hit = _trigger.hit
arm = _trigger.arm
"""Arms another failpoint, or none, in a process that goes on: for children of a fork."""
kill_too = _trigger.others.append
"""Has the process that this one works for killed with it."""
