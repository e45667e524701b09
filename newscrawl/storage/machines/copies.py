"""Sees that a copy of a database is crawled beside it: each of them would send all requests to the same sites.

A copy has the installation's id of its original. Each process that crawls opens a file named after the id in folders
that both may use, and locks a byte of it that stands for its database. Any other locked byte is that of a copy. The
system releases the locks when a process ends.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from newscrawl.storage.engine.process_locks import LockFile
from newscrawl.storage.frontier.sites import installation

_BYTES: Final = 1 << 61
"""Bytes of which each stands for a database."""
_LOOKS: Final = 5
_PAUSE_SECONDS: Final = 0.05
"""Another process that looks at the same moment locks all bytes for microseconds, so they are looked at again."""


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
