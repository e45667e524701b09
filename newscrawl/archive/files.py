"""The archive's files: their names, locks and states, and appending to them.

A file is named `NAME.warc.gz.open` while a process writes it, and the process holds a lock on it. A closed file loses
the suffix, as with other archivers. `NAME.warc.gz.rewrite` will replace another file. `NAME.warc.gz.stored` is in an
object store already, and is deleted once its row says so. Rows name files without these suffixes, so no row changes
when a file is closed.
"""

from __future__ import annotations

import fcntl
import os
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Self

from newscrawl.archive.capture_records import info
from newscrawl.errors import ArchiveError, os_reason
from newscrawl.workers.processes.failpoints import ARCHIVE_HALF, ARCHIVE_WRITTEN, hit

if TYPE_CHECKING:
    from newscrawl.storage.captures.locations import ArchiveFile

SUFFIX: Final = ".warc.gz"
OPEN: Final = ".open"
REWRITE: Final = ".rewrite"
STORED: Final = ".stored"
PRIVATE_FOLDER: Final = 0o770
PRIVATE_FILE: Final = 0o660
"""Permissions of a new folder and file, from which the umask takes, as of the database's files
(newscrawl.storage.engine.database.PRIVATE)."""
_STATES: Final = ("", OPEN, REWRITE, STORED)
_NO_NAME: Final = re.compile(r"[^a-z0-9-]+")


def new_name(now: datetime, serial: int) -> str:
    """Returns a file's name: the time of its creation, the machine and process, and its number there."""
    host = _NO_NAME.sub("-", socket.gethostname().lower())[:40]
    return f"newscrawl-{now.astimezone(UTC):%Y%m%d%H%M%S%f}-{host}-{os.getpid()}-{serial:05d}{SUFFIX}"


def find(folder: Path, name: str) -> Path | None:
    """Returns the path of the file with this name, in any state; None if it does not exist."""
    for state in _STATES:
        path = folder / f"{name}{state}"
        if path.exists():
            return path
    return None


def gone(folder: Path, files: Iterable[ArchiveFile], machine: str) -> list[ArchiveFile]:
    """Returns the files that a machine holds and that are not in its folder."""
    own = [file for file in files if file.machine == machine and file.deleted is None]
    return [file for file in own if find(folder, file.name) is None]


def ensure_folder(folder: Path) -> None:
    """Creates the folder. Raises ArchiveError if it cannot be created or written to."""
    try:
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise ArchiveError(f"cannot create the archive folder {folder}: {os_reason(error)}, choose another") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ArchiveError(f"cannot write to the archive folder {folder}: allow it, or choose another")


@dataclass
class OpenFile:
    """A file that this process writes and has locked."""

    path: Path
    name: str
    size: int
    _file: BinaryIO

    @classmethod
    def begin(cls, folder: Path, name: str, now: datetime, software: str, state: str = OPEN) -> Self:
        """Creates a file with its first record. Raises OSError."""
        path = folder / f"{name}{state}"
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
        file = os.fdopen(number, "wb", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            path.stat()  # raises if `recover` of another process took the file for one of a killed process
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
        """Appends the pieces, all or none, and returns the offset of each. On OSError the file is as before."""
        begins, at = [], self.size
        for piece in pieces:
            begins.append(at)
            at += len(piece)
        data = memoryview(b"".join(pieces))
        half = len(data) // 2
        try:
            for part in (data[:half], data[half:]):
                while part:
                    part = part[self._file.write(part) :]
                hit(ARCHIVE_HALF)
        except OSError:
            self._file.truncate(self.size)
            self._file.seek(self.size)
            raise
        self.size = at
        hit(ARCHIVE_WRITTEN)
        return begins

    def sync(self) -> None:
        """Flushes everything appended to the disk. Raises OSError."""
        os.fsync(self._file.fileno())

    def close(self) -> Path:
        """Renames the file to its final name and releases the lock."""
        final = self.path.with_name(self.name)
        with self._file:
            self.path.replace(final)
            sync_folder(final.parent)
        return final

    def abandon(self) -> None:
        """Releases the lock and leaves the file as it is, for `recover` at the next start."""
        self._file.close()


def left_behind(folder: Path, state: str) -> Iterator[tuple[Path, BinaryIO]]:
    """Yields the files in this state whose process has ended. Each is locked until the next is yielded."""
    for path in sorted(folder.glob(f"*{SUFFIX}{state}")):
        with suppress(FileNotFoundError), path.open("r+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue  # another process writes it
            if path.exists():
                yield path, file


def is_written(path: Path) -> bool:
    """Returns whether a process is writing the file now."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


@contextmanager
def only_one(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Lets one process at a time remove captures or files from a folder. Without `wait`, yields False while another
    process does. Raises OSError."""
    number = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(number)


def sync_folder(folder: Path) -> None:
    """Flushes the folder's entries to the disk, so that names are as durable as the files."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
