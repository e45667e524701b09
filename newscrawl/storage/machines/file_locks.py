"""Locks on files, which the system releases when the process ends: that of `newscrawl run` beside its SQLite database,
and those by which a copy of a database is noticed that is crawled beside it. Each copy would send all requests to the
same sites.

The locks are POSIX record locks (fcntl). They belong to the process, so no child keeps the lock of a killed process.
All of them end when the process closes the file once, so a process opens each lock file once and shares it.

A copy has the installation's id of its original. Each process that crawls opens a file named after the id in folders
that both may use, and locks a byte of it that stands for its database. Any other locked byte is that of a copy.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from newscrawl.errors import DatabaseInUse, StorageError, os_reason
from newscrawl.storage.engine.database import PRIVATE, check_folder, file_of, parse_url, shown
from newscrawl.storage.frontier.sites import installation

_RUN: Final = 0
"""The byte that `newscrawl run` locks: one such process for each database."""
_DIGITS: Final = 20
"""The bytes at the begin of the file that hold its process id, a decimal number."""
_BYTES: Final = 1 << 61
"""Bytes of which each stands for a database."""
_LOOKS: Final = 5
_PAUSE_SECONDS: Final = 0.05
"""Another process that looks at the same moment locks all bytes for microseconds, so they are looked at again."""


class LockFile:
    """The one open file of this process for a path."""

    _open: dict[Path, LockFile] = {}  # noqa: RUF012  typed here, and shared on purpose

    def __init__(self, path: Path) -> None:
        self.path = path
        self.users = 0
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
        file = file_of(parsed)  # the same for all symlinks to it
        path = file.with_name(f"{file.name}.lock")
        try:
            lock = LockFile.of(path)
            try:
                fcntl.lockf(lock.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _RUN)
            except (BlockingIOError, PermissionError):
                other = os.pread(lock.descriptor, _DIGITS, 0).decode("ascii", "replace").strip()
                lock.release()
                raise DatabaseInUse(
                    f"database {shown(parsed)}: another `newscrawl run` (process {other}) crawls with it; stop that "
                    "one, or use PostgreSQL for several"
                ) from None
            self._file = lock
            os.pwrite(lock.descriptor, b"%-*d" % (_DIGITS, os.getpid()), 0)
        except OSError as error:
            self.close()
            raise StorageError(f"cannot lock {path}: {os_reason(error)}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases the lock; may be called twice."""
        file, self._file = self._file, None
        if file is not None:
            fcntl.lockf(file.descriptor, fcntl.LOCK_UN, 1, _RUN)
            file.release()


class CopyLock:
    """Says to the processes of other copies that this database is crawled, until `close`. Folders in which no lock can
    be held are left out."""

    def __init__(self, connection: Connection, folders: Iterable[Path]) -> None:
        found = installation(connection)
        self._byte = 1 + int.from_bytes(blake2b(_identity(connection).encode(), digest_size=8).digest()) % _BYTES
        self._files = list(_opened(f"newscrawl-{found}.lock", folders)) if found is not None else []
        for file in self._files:
            with suppress(OSError):
                fcntl.lockf(file.descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, self._byte)

    def is_copy_crawled(self) -> bool:
        """Returns whether a process crawls with another copy of the database now."""
        for look in range(_LOOKS):
            if look:
                time.sleep(_PAUSE_SECONDS)
            if all(_is_free(file, 0, self._byte) and _is_free(file, self._byte + 1, 0) for file in self._files):
                return False
        return True

    def close(self) -> None:
        """Releases the locks."""
        while self._files:
            self._files.pop().release()


def _opened(name: str, folders: Iterable[Path]) -> Iterator[LockFile]:
    for folder in dict.fromkeys(folders):
        with suppress(OSError):  # it does not exist, or another user has the file
            yield LockFile.of(folder / name)


def _is_free(file: LockFile, begin: int, length: int) -> bool:
    """Returns whether no other process has a lock on these bytes; length 0 are all bytes from `begin` on."""
    try:
        fcntl.lockf(file.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, length, begin)
    except OSError:
        return False
    fcntl.lockf(file.descriptor, fcntl.LOCK_UN, length, begin)
    return True


def _identity(connection: Connection) -> str:
    """Returns what distinguishes the database from its copies, and is the same for all its processes: the inode of a
    SQLite file; of PostgreSQL the identifier of the cluster, the server's port and the database's name."""
    if connection.dialect.name == "sqlite":
        file = Path(connection.engine.url.database or "").stat()
        return f"{file.st_dev} {file.st_ino}"
    cluster = ""
    with suppress(DBAPIError), connection.begin_nested():  # a provider may forbid the function
        cluster = str(connection.execute(text("SELECT system_identifier FROM pg_control_system()")).scalar_one())
    place = connection.execute(text("SELECT current_setting('port') || ' ' || current_database()")).scalar_one()
    return f"{cluster} {place}"
