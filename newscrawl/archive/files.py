"""The archive's folder: names, locks, appending, and what a file is called while it is written.

A file is `NAME.warc.gz.open` while a process writes it, which holds a lock on it for as long; closed, it loses the
suffix, as other archivers do it. `NAME.warc.gz.rewrite` is being made in place of another. Rows name files without
these suffixes, so that no row changes when a file is closed.
"""

from __future__ import annotations

import fcntl
import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, Self

from newscrawl.archive.capture_records import info
from newscrawl.errors import ArchiveError, os_reason
from newscrawl.failpoints import ARCHIVE_HALF, ARCHIVE_WRITTEN, hit

SUFFIX: Final = ".warc.gz"
OPEN: Final = ".open"
REWRITE: Final = ".rewrite"
_STATES: Final = ("", OPEN, REWRITE)
_NO_NAME: Final = re.compile(r"[^a-z0-9-]+")


def new_name(now: datetime, serial: int) -> str:
    """A file's name: when it was begun, by which machine and process, and its number there."""
    host = _NO_NAME.sub("-", socket.gethostname().lower())[:40]
    return f"newscrawl-{now.astimezone(UTC):%Y%m%d%H%M%S%f}-{host}-{os.getpid()}-{serial:05d}{SUFFIX}"


def find(folder: Path, name: str) -> Path | None:
    """The file of this name, whatever it is being done to; None when it is not there."""
    for state in _STATES:
        path = folder / f"{name}{state}"
        if path.exists():
            return path
    return None


def ensure_folder(folder: Path) -> None:
    """Makes the folder. Raises ArchiveError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArchiveError(f"cannot make the archive's folder {folder}: {os_reason(error)}, choose another") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ArchiveError(f"cannot write to the archive's folder {folder}: allow it, or choose another")


@dataclass
class OpenFile:
    """A file that is written to, locked against everybody else."""

    path: Path
    name: str
    size: int
    _file: BinaryIO

    @classmethod
    def begin(cls, folder: Path, name: str, now: datetime, software: str, state: str = OPEN) -> Self:
        """A new file with its first record. Raises OSError."""
        path = folder / f"{name}{state}"
        file = path.open("xb", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            begun = cls(path, name, 0, file)
            begun.append([info(name, software, now)])
            begun.sync()
            sync_folder(folder)
        except BaseException:
            file.close()
            path.unlink(missing_ok=True)
            raise
        return begun

    def append(self, pieces: list[bytes]) -> list[int]:
        """Adds the pieces, all or none; where each begins. Raises OSError, and the file is as before."""
        begins, at = [], self.size
        for piece in pieces:
            begins.append(at)
            at += len(piece)
        try:
            self._write(b"".join(pieces))
        except OSError:
            self._file.truncate(self.size)
            self._file.seek(self.size)
            raise
        self.size = at
        hit(ARCHIVE_WRITTEN)
        return begins

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        half = len(view) // 2
        for part in (view[:half], view[half:]):
            while part:
                part = part[self._file.write(part) :]
            hit(ARCHIVE_HALF)

    def sync(self) -> None:
        """Returns when what was added is on the disk. Raises OSError."""
        os.fsync(self._file.fileno())

    def close(self) -> Path:
        """Gives the file its own name, and the lock back."""
        final = self.path.with_name(self.name)
        with self._file:
            self.path.replace(final)
            sync_folder(final.parent)
        return final

    def abandon(self) -> None:
        """Gives the lock back and leaves the rest to the next start."""
        self._file.close()


def left_behind(folder: Path, state: str) -> Iterator[tuple[Path, BinaryIO]]:
    """The files in this state whose process is gone; each is locked while it is looked at."""
    for path in sorted(folder.glob(f"*{SUFFIX}{state}")):
        with suppress(FileNotFoundError), path.open("r+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue  # somebody writes it
            if path.exists():
                yield path, file


def is_written(path: Path) -> bool:
    """Whether a process is writing the file now."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def sync_folder(folder: Path) -> None:
    """Makes names in the folder as durable as the files."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
