"""Faults put below a command for benchmarks.faults: errors of database statements, and errors of writes.

All of it is armed in a process before the command begins, and counts over everything the process does from then on.
Statements are taken at the driver (sqlite3), below SQLAlchemy, so that pragmas, BEGIN and COMMIT count as well.
"""

from __future__ import annotations

import ctypes
import errno
import sqlite3
import threading
from dataclasses import dataclass, replace
from typing import Any, Final

COUNT: Final = ctypes.c_long
ALWAYS: Final = 1 << 40
"""Statements or writes after which a lasting fault ends: more than any command makes."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The fault to inject: none if `kind` is "none". `first` and `last` count from 1 and are both included."""

    kind: str = "none"
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class _Driver:
    """The driver's error message, and whether SQLite ends the transaction as well."""

    code: int
    name: str
    said: str
    ends: bool


DRIVER: Final = {
    "io": _Driver(sqlite3.SQLITE_IOERR, "SQLITE_IOERR", "disk I/O error", ends=True),
    "full": _Driver(sqlite3.SQLITE_FULL, "SQLITE_FULL", "database or disk is full", ends=True),
    "locked": _Driver(sqlite3.SQLITE_BUSY, "SQLITE_BUSY", "database is locked", ends=False),
}
DISK: Final = {"enospc": errno.ENOSPC, "eio": errno.EIO}
KINDS: Final = (*DRIVER, *DISK)


class _Statements:
    """Counts the statements of all connections of this process, and chooses those that fail."""

    def __init__(self, fault: Fault, count: Any) -> None:
        self.fault = fault
        self.count = count
        self.lock = threading.Lock()

    def look(self, connection: sqlite3.Connection) -> None:
        """Called before a statement. Raises the error that SQLite would raise."""
        with self.lock:
            self.count.value += 1
            now = self.count.value
        if not self.fault.first <= now <= self.fault.last:
            return
        how = DRIVER[self.fault.kind]
        if how.ends and connection.in_transaction:
            sqlite3.Connection.rollback(connection)
        error = sqlite3.OperationalError(how.said)
        error.sqlite_errorcode = how.code
        error.sqlite_errorname = how.name
        raise error


def arm(fault: Fault, folder: str, statements: Any, writes: Any) -> None:
    """Injects the fault in this process and in those forked from it. `statements` and `writes` are shared counters."""
    seen = _Statements(fault if fault.kind in DRIVER else replace(fault, first=0, last=-1), statements)
    _wrap_driver(seen)
    _arm_disk(fault, folder, writes)
    _shorten_pauses()


def _wrap_driver(seen: _Statements) -> None:
    class Cursor(sqlite3.Cursor):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:  # type: ignore[override,unused-ignore]
            seen.look(self.connection)
            return super().execute(*arguments)

        def executemany(self, *arguments: Any) -> sqlite3.Cursor:  # type: ignore[override,unused-ignore]
            seen.look(self.connection)
            return super().executemany(*arguments)

    class Connection(sqlite3.Connection):
        def cursor(self, *_: Any) -> sqlite3.Cursor:  # type: ignore[override]
            return super().cursor(Cursor)

        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            return self.cursor().execute(*arguments)

        def commit(self) -> None:
            seen.look(self)
            super().commit()

    connect = sqlite3.connect

    def wrapped(*arguments: Any, **named: Any) -> sqlite3.Connection:
        made: sqlite3.Connection = connect(*arguments, **{"factory": Connection, **named})
        return made

    sqlite3.connect = sqlite3.dbapi2.connect = wrapped  # type: ignore[assignment]


def _arm_disk(fault: Fault, folder: str, writes: Any) -> None:
    library = ctypes.CDLL(None)
    if not hasattr(library, "newscrawl_arm"):  # there is no C compiler
        return
    first, last = (fault.first, fault.last) if fault.kind in DISK else (0, 0)
    library.newscrawl_arm(
        folder.encode(), COUNT(first), COUNT(last), DISK.get(fault.kind, 0), ctypes.c_void_p(ctypes.addressof(writes))
    )


def _shorten_pauses() -> None:
    """Makes the pauses between attempts of newscrawl a hundredth as long, because there are thousands of trials. The
    number of attempts stays."""
    from newscrawl.archive import archive_thread
    from newscrawl.crawling.fleet import fleet, main
    from newscrawl.crawling.pipelines import archive
    from newscrawl.storage.engine import database, errors

    errors.RetryPolicy.__init__.__defaults__ = (7, 0.001, 0.05, float("inf"))
    main.OUTAGE_PATIENCE = replace(main.OUTAGE_PATIENCE, first_pause=0.001, longest_pause=0.05)  # type: ignore[misc]
    archive.LOOK_SECONDS = 0.01  # type: ignore[misc]
    archive_thread.PATIENCE = 0.15  # type: ignore[misc]
    for module in (archive_thread, errors):
        module.FIRST_PAUSE = module.MAX_PAUSE = 0.05  # type: ignore[misc]
    fleet.ONCE_PATIENCE = 0.5  # type: ignore[misc]
    database._WAL_PAUSE_S = 0.001  # type: ignore[misc]  # noqa: SLF001
