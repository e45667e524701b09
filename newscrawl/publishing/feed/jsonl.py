"""Writes the feed as JSON Lines, to a file or to standard output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, TextIO

from newscrawl.errors import FeedError, UsageError, os_reason
from newscrawl.model.jsonable import to_text
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkOptions, SinkPosition, SinkType, as_json

MAX_LINE: Final = 16 << 20
"""Bytes at the end of the file in which its last complete line is looked for. The largest text has 2 MB."""


@dataclass(slots=True)
class JsonLines:
    """Writes one object a line. A file is synced to the disk before its entries count as accepted. A kill may leave a
    partial last line; its entry is written again after it."""

    file: TextIO
    index_id: str | None = None
    seq: int | None = None
    """The change in the last complete line of the file, 0 for an empty file; None if it is unknown, and after
    `position` has returned it."""

    @classmethod
    def to_file(cls, path: Path) -> Self:
        """Appends to the file. A new file starts with the whole feed; a file that was cut gets what it has lost. Raises
        FeedError."""
        try:
            file = path.open("a+", encoding="utf-8", newline="\n")
            if _is_torn(path):
                file.write("\n")
                file.flush()
            stat = os.fstat(file.fileno())
        except OSError as error:
            raise FeedError(f"cannot write {path}: {os_reason(error)}; give another file") from error
        return cls(file, f"{stat.st_dev}-{stat.st_ino}", _last_seq(path))

    def position(self) -> SinkPosition:
        """Identifies a file by device and inode. The first call also says what the file has; after that the cursor says
        more, because changes without a line count as sent."""
        seq, self.seq = self.seq, None
        return SinkPosition(self.index_id, seq)

    def send(self, entries: Sequence[Entry]) -> Delivery:
        try:
            self.file.writelines(to_text(as_json(entry)) + "\n" for entry in entries)
            self.file.flush()
            if self.index_id is not None:
                os.fsync(self.file.fileno())
        except BrokenPipeError:
            raise
        except OSError as error:
            raise FeedError(
                f"cannot write {self.file.name}: {os_reason(error)}; the next run continues there"
            ) from error
        return Delivery(frozenset(entry.article_id for entry in entries))

    def close(self) -> None:
        if self.index_id is not None:
            self.file.close()


def _open(place: str, _: SinkOptions) -> JsonLines:
    if not place:
        raise UsageError("jsonl: names no file: write jsonl:FILE, or jsonl:- for standard output")
    if place == "-":
        return JsonLines(sys.stdout)
    return JsonLines.to_file(Path(place))


SINK: Final = SinkType("jsonl:FILE, jsonl:-", _open)


def _is_torn(path: Path) -> bool:
    """Returns whether the last line of the file is incomplete. Bytes are compared, because a kill can cut a
    character."""
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def _last_seq(path: Path) -> int | None:
    """Returns the number of the change in the last complete line, 0 for an empty file; None if it cannot be read."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size == 0:
            return 0
        file.seek(max(0, size - MAX_LINE))
        lines = [line for line in file.read().split(b"\n") if line]
    for line in reversed(lines):
        try:
            entry = json.loads(line)
        except ValueError:  # torn
            continue
        seq = entry.get("seq") if isinstance(entry, dict) else None
        return seq if isinstance(seq, int) else None
    return None
