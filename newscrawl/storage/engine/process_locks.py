"""Locks of the processes that crawl with one SQLite database, on a file beside it. The system releases them when a
process ends.

The locks are POSIX record locks (fcntl). They belong to the process, so no child keeps the lock of a killed process.
All of them end when the process closes the file once, so a process opens each lock file once and shares it. A
PostgreSQL database has no such file: all methods then answer as for the only process.
"""

from __future__ import annotations

import fcntl
import os
from hashlib import blake2b
from pathlib import Path
from typing import Final, Self

from newscrawl.errors import DatabaseInUse, StorageError, os_reason
from newscrawl.storage.engine.database import PRIVATE, check_folder, lock_file, parse_url, shown

_RUN: Final = 0
"""The byte that `newscrawl run` locks: one such process for each database."""
_LIVING: Final = 1
"""The byte on which every process that crawls holds a shared lock."""
_ARRIVING: Final = 2
"""The byte that a process locks while it increments the number of arrivals."""
_HOSTS: Final = 1 << 32
"""The first of the bytes for hosts, one for each hash of a host. Two hosts with the same byte wait for each other,
which does no harm."""
_HOST_BYTES: Final = 1 << 61

_PROCESS: Final = slice(0, 20)
_ARRIVALS: Final = slice(32, 52)
"""Places in the file of two decimal numbers: the process id of `newscrawl run`, and the number of processes so far."""


class LockFile:
    """The one open file of this process for a path, with the bytes that this process has locked."""

    _open: dict[Path, LockFile] = {}  # noqa: RUF012  typed here, and shared on purpose

    def __init__(self, path: Path) -> None:
        self.path = path
        self.users = 0
        self.held: set[int] = set()
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE)

    @classmethod
    def of(cls, path: Path) -> LockFile:
        file = cls._open.get(path)
        if file is None:
            file = cls._open[path] = cls(path)
        file.users += 1
        return file

    def release(self) -> None:
        self.users -= 1
        if not self.users:
            del self._open[self.path]
            os.close(self.descriptor)

    def lock(self, byte: int, kind: int) -> bool:
        """Tries to lock the byte; False if another process's lock conflicts."""
        try:
            fcntl.lockf(self.descriptor, kind, 1, byte)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def read(self, place: slice) -> int:
        """Returns the number stored at this place; 0 if there is none yet."""
        digits = os.pread(self.descriptor, place.stop - place.start, place.start).strip(b" \0\n")
        return int(digits) if digits.isdigit() else 0

    def write(self, place: slice, number: int) -> None:
        """Stores the number at this place."""
        os.pwrite(self.descriptor, b"%-*d" % (place.stop - place.start, number), place.start)


class ProcessRegistration:
    """Registers this process as one that crawls with the database at `url`, until `close`.

    Raises StorageError if the lock file cannot be used. With `run`, raises DatabaseInUse if another `newscrawl run`
    crawls with the same SQLite database.
    """

    def __init__(self, url: str, *, run: bool = False) -> None:
        parsed = parse_url(url)
        self._url = parsed
        self._file: LockFile | None = None
        self._held: set[int] = set()
        if parsed.get_backend_name() != "sqlite":
            return
        check_folder(parsed)
        path = lock_file(parsed)
        try:
            self._file = LockFile.of(path)
            self._enter(self._file, run=run)
        except OSError as error:
            self.close()
            raise StorageError(f"cannot lock {path}: {os_reason(error)}; crawls need it to see each other") from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def are_others(self) -> bool:
        """Returns whether another process crawls with the database now."""
        if self._file is None:
            return False
        # A process's own locks never conflict: only another process's shared lock prevents the exclusive lock.
        if not self._file.lock(_LIVING, fcntl.LOCK_EX | fcntl.LOCK_NB):
            return True
        self._file.lock(_LIVING, fcntl.LOCK_SH)
        return False

    def arrivals(self) -> int:
        """Returns the number of processes that have registered so far. A changed number means that another process
        crawled since the last look, or still does."""
        return self._file.read(_ARRIVALS) if self._file is not None else 0

    def take(self, host: str) -> bool:
        """Locks the host for one request; False while another request, of this process or another, has the lock."""
        if self._file is None:
            return True
        byte = _byte_of(host)
        if byte in self._file.held or not self._file.lock(byte, fcntl.LOCK_EX | fcntl.LOCK_NB):
            return False
        self._file.held.add(byte)
        self._held.add(byte)
        return True

    def give_back(self, host: str) -> None:
        """Releases the lock of a successful `take`."""
        byte = _byte_of(host)
        if self._file is not None and byte in self._held:
            self._held.discard(byte)
            self._file.held.discard(byte)
            self._file.lock(byte, fcntl.LOCK_UN)

    def close(self) -> None:
        """Ends the registration of this process; may be called twice."""
        file, self._file = self._file, None
        if file is None:
            return
        for byte in self._held:
            file.held.discard(byte)
            file.lock(byte, fcntl.LOCK_UN)
        self._held.clear()
        file.release()

    def _enter(self, file: LockFile, *, run: bool) -> None:
        if run:
            if not file.lock(_RUN, fcntl.LOCK_EX | fcntl.LOCK_NB):
                raise DatabaseInUse(
                    f"database {shown(self._url)}: another `newscrawl run` (process {file.read(_PROCESS)}) crawls "
                    "with it; stop that one, or use PostgreSQL for several"
                )
            file.write(_PROCESS, os.getpid())
        file.lock(_LIVING, fcntl.LOCK_SH)
        file.lock(_ARRIVING, fcntl.LOCK_EX)
        file.write(_ARRIVALS, file.read(_ARRIVALS) + 1)
        file.lock(_ARRIVING, fcntl.LOCK_UN)


def _byte_of(host: str) -> int:
    return _HOSTS + int.from_bytes(blake2b(host.encode("utf-8", "replace"), digest_size=8).digest()) % _HOST_BYTES
