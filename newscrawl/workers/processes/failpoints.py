"""Points at which a test can kill the process, to show that nothing is lost or stored twice when a process dies there.

Set NEWSCRAWL_FAILPOINT to a name from `NAMES` (or `name:3` for the third time it is reached). If it is not set, a
failpoint costs one comparison with a constant.
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
"""All bytes of a batch are in the archive, possibly not yet on the disk."""
ARCHIVE_SYNCED: Final = "archive-synced"
ARCHIVE_ROTATED: Final = "archive-rotated"
"""A full file is closed; the next one is not yet created."""
ARCHIVE_DELETED: Final = "archive-deleted"
"""No row refers to a file any more; the file still exists."""
ARCHIVE_REWRITTEN: Final = "archive-rewritten"
"""A file without the captures to be removed was written beside the old one."""
ARCHIVE_REPLACED: Final = "archive-replaced"
"""The rows refer to the new file; the old one still exists."""
ARCHIVE_PUT: Final = "archive-put"
"""A closed file is in the object store; its row still says that this machine has it."""
ARCHIVE_MOVED: Final = "archive-moved"
"""The row says that the object store has the file; the local copy still exists."""
ARCHIVE_CONFIRMED: Final = "archive-confirmed"
"""A removal that was asked for is confirmed for one file; the next file is not yet searched."""
UPKEEP_PART: Final = "upkeep-part"
"""One transaction of an upkeep is committed; the next has not begun."""
COPY_WRITTEN: Final = "copy-written"
"""A copy of a database is written, and does not have its name yet."""
FEED_SENT: Final = "feed-sent"
"""A sink has accepted changes; the consumer's cursor is not yet advanced."""
INDEX_HALF: Final = "index-half"
"""The search index has added changes and not yet committed them."""
SEARCHES_DECIDED: Final = "searches-decided"
"""Standing searches have been evaluated for a batch of changes; nothing of it is stored yet."""
SEARCH_SENT: Final = "search-sent"
"""A destination of a standing search has accepted events; that is not yet stored."""
ALARM_SENT: Final = "alarm-sent"
"""A receiver has accepted an alarm; that is not yet stored."""
BATCH_WRITTEN: Final = "batch-written"
"""The rows of a span are written to the disk, and have not the name of their part yet."""
BATCH_PART: Final = "batch-part"
"""A part has its name; the manifest does not have it yet."""

ARCHIVE_NAMES: Final = (
    ARCHIVE_HALF,
    ARCHIVE_WRITTEN,
    ARCHIVE_SYNCED,
    ARCHIVE_ROTATED,
    ARCHIVE_DELETED,
    ARCHIVE_REWRITTEN,
    ARCHIVE_REPLACED,
    ARCHIVE_CONFIRMED,
    ARCHIVE_PUT,
    ARCHIVE_MOVED,
)
FEED_NAMES: Final = (FEED_SENT, INDEX_HALF)
DELIVERY_NAMES: Final = (SEARCHES_DECIDED, SEARCH_SENT, ALARM_SENT)
STORE_NAMES: Final = (AFTER_EXTRACTION, MID_TRANSACTION, AFTER_COMMIT, AFTER_SOURCE_ANSWER, UPKEEP_PART)
BATCH_NAMES: Final = (BATCH_WRITTEN, BATCH_PART)
NAMES: Final = (*STORE_NAMES, *ARCHIVE_NAMES, *FEED_NAMES, *DELIVERY_NAMES, *BATCH_NAMES, COPY_WRITTEN)


class _Trigger:
    """Counts how often the armed failpoint is reached."""

    def __init__(self, armed: str | None) -> None:
        self.arm(armed)

    def arm(self, armed: str | None) -> None:
        name, _, count = (armed or "").partition(":")
        self.name = name
        self.left = int(count or 1)

    def hit(self, name: str) -> None:
        if name != self.name:
            return
        self.left -= 1
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)


_trigger = _Trigger(os.environ.get("NEWSCRAWL_FAILPOINT"))
hit = _trigger.hit
arm = _trigger.arm
"""Arms another failpoint, or none, in a running process: for children of a fork."""
