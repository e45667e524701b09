"""The lock of `newscrawl run` on a file beside its SQLite database. The system releases it when the process ends.

The locks are POSIX record locks (fcntl). They belong to the process, so no child keeps the lock of a killed process.
All of them end when the process closes the file once, so a process opens each lock file once and shares it.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final, Self

from newscrawl.errors import DatabaseInUse, StorageError, os_reason
from newscrawl.storage.engine.database import PRIVATE, check_folder, lock_file, parse_url, shown

_RUN: Final = 0
"""The byte that `newscrawl run` locks: one such process for each database."""
_PROCESS: Final = slice(0, 20)
"""The place in the file of its process id, a decimal number."""


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


class RunLock:
    """The lock of `newscrawl run`, of which one crawls with a SQLite database, until `close`. It does nothing for
    PostgreSQL.

    Raises DatabaseInUse if another process has it, StorageError if the lock file cannot be used.
    """

    def __init__(self, url: str) -> None:
        parsed = parse_url(url)
        self._file: LockFile | None = None
        if parsed.get_backend_name() != "sqlite":
            return
        check_folder(parsed)
        path = lock_file(parsed)
        try:
            file = LockFile.of(path)
            is_ours = file.lock(_RUN, fcntl.LOCK_EX | fcntl.LOCK_NB)
            other = 0 if is_ours else file.read(_PROCESS)
            if is_ours:
                self._file = file
                file.write(_PROCESS, os.getpid())
            else:
                file.release()
        except OSError as error:
            self.close()
            raise StorageError(f"cannot lock {path}: {os_reason(error)}") from error
        if not is_ours:
            raise DatabaseInUse(
                f"database {shown(parsed)}: another `newscrawl run` (process {other}) crawls with it; stop that one, "
                "or use PostgreSQL for several"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases the lock; may be called twice."""
        file, self._file = self._file, None
        if file is not None:
            file.lock(_RUN, fcntl.LOCK_UN)
            file.release()
