"""Faults put below a command for benchmarks.faults: errors of database statements, and errors of writes.

All of it is armed in a process before the command begins, and counts over everything the process does from then on.
Statements are taken at the driver (sqlite3, psycopg), below SQLAlchemy: pragmas, SQLite's BEGIN and all COMMITs count.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import socket
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
    """SQLite's error code and message, whether SQLite ends the transaction as well, and PostgreSQL's SQLSTATE."""

    code: int
    name: str
    said: str
    ends: bool
    state: str


DRIVER: Final = {
    "io": _Driver(sqlite3.SQLITE_IOERR, "SQLITE_IOERR", "disk I/O error", ends=True, state="58030"),
    "full": _Driver(sqlite3.SQLITE_FULL, "SQLITE_FULL", "database or disk is full", ends=True, state="53100"),
    "locked": _Driver(sqlite3.SQLITE_BUSY, "SQLITE_BUSY", "database is locked", ends=False, state="40P01"),
}
LOST: Final = "lost"
"""The connection to PostgreSQL breaks before the statement; a new connection is refused."""
UNANSWERED: Final = "unanswered"
"""The connection to PostgreSQL breaks between a commit and its answer: k counts commits."""
LINK: Final = (LOST, UNANSWERED)
KILL: Final = "kill"
"""The process is killed with SIGKILL before the statement."""
DISK: Final = {"enospc": errno.ENOSPC, "eio": errno.EIO}
KINDS: Final = (*DRIVER, *LINK, KILL, *DISK)


class _Count:
    """Counts the statements (or commits) of all connections of this process, and says which of them fail."""

    def __init__(self, fault: Fault, count: Any) -> None:
        self.fault = fault
        self._count = count
        self._lock = threading.Lock()

    def is_due(self) -> bool:
        """Called before a statement: whether it fails. Does not return if the process is to be killed."""
        with self._lock:
            self._count.value += 1
            is_due = bool(self.fault.first <= self._count.value <= self.fault.last)
        if is_due and self.fault.kind == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        return is_due


def arm(fault: Fault, folder: str, statements: Any, writes: Any, commits: Any) -> None:
    """Injects the fault in this process and in those forked from it. The last three are shared counters."""
    never = replace(fault, first=0, last=-1)
    seen = _Count(fault if fault.kind in {*DRIVER, LOST, KILL} else never, statements)
    _wrap_sqlite(seen)
    _wrap_postgresql(seen, _Count(fault if fault.kind == UNANSWERED else never, commits))
    _arm_disk(fault, folder, writes)
    _shorten_pauses()


def _wrap_sqlite(seen: _Count) -> None:
    def look(connection: sqlite3.Connection) -> None:
        if not seen.is_due():
            return
        how = DRIVER[seen.fault.kind]
        if how.ends and connection.in_transaction:
            sqlite3.Connection.rollback(connection)
        error = sqlite3.OperationalError(how.said)
        error.sqlite_errorcode = how.code
        error.sqlite_errorname = how.name
        raise error

    class Cursor(sqlite3.Cursor):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:  # type: ignore[override,unused-ignore]
            look(self.connection)
            return super().execute(*arguments)

        def executemany(self, *arguments: Any) -> sqlite3.Cursor:  # type: ignore[override,unused-ignore]
            look(self.connection)
            return super().executemany(*arguments)

    class Connection(sqlite3.Connection):
        def cursor(self, *_: Any) -> sqlite3.Cursor:  # type: ignore[override]
            return super().cursor(Cursor)

        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            return self.cursor().execute(*arguments)

        def commit(self) -> None:
            look(self)
            super().commit()

    connect = sqlite3.connect

    def wrapped(*arguments: Any, **named: Any) -> sqlite3.Connection:
        made: sqlite3.Connection = connect(*arguments, **{"factory": Connection, **named})
        return made

    sqlite3.connect = sqlite3.dbapi2.connect = wrapped  # type: ignore[assignment]


def _wrap_postgresql(seen: _Count, committed: _Count) -> None:
    """The server itself raises the error, or its end of the connection is closed, so that driver and server are in the
    state that such a fault leaves."""
    import psycopg

    plain = {
        (of, name): getattr(of, name)
        for of, name in (
            (psycopg.Cursor, "execute"),
            (psycopg.Cursor, "executemany"),
            (psycopg.ServerCursor, "execute"),
        )
    }
    execute, commit, connect = plain[psycopg.Cursor, "execute"], psycopg.Connection.commit, psycopg.Connection.connect

    def cut(connection: Any) -> None:
        with socket.socket(fileno=os.dup(connection.pgconn.socket)) as end:
            end.shutdown(socket.SHUT_RDWR)

    def look(connection: Any) -> None:
        if not seen.is_due() or connection.closed:
            return
        if seen.fault.kind == LOST:
            cut(connection)  # the statement itself finds it so
        else:
            how = DRIVER[seen.fault.kind]
            said = f"DO $$BEGIN RAISE SQLSTATE '{how.state}' USING MESSAGE = '{how.said}'; END$$"
            execute(psycopg.Cursor(connection), said)

    def looking(real: Any) -> Any:
        def wrapped(cursor: Any, *arguments: Any, **named: Any) -> Any:
            look(cursor.connection)
            return real(cursor, *arguments, **named)

        return wrapped

    def committing(connection: Any) -> None:
        look(connection)
        commit(connection)
        if committed.is_due() and not connection.closed:
            cut(connection)
            execute(psycopg.Cursor(connection), "SELECT 1")

    def connecting(of: Any, *arguments: Any, **named: Any) -> Any:
        if seen.is_due() and seen.fault.kind == LOST:
            raise psycopg.OperationalError("connection failed: Connection refused")
        return connect.__func__(of, *arguments, **named)  # type: ignore[attr-defined]

    for (of, name), real in plain.items():
        setattr(of, name, looking(real))
    psycopg.Connection.commit = committing  # type: ignore[method-assign,assignment]
    psycopg.Connection.connect = classmethod(connecting)  # type: ignore[method-assign,assignment]


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
    from newscrawl.archive import writer
    from newscrawl.crawling.fleet import fleet, main
    from newscrawl.crawling.pipelines import archive
    from newscrawl.storage.engine import database, errors

    errors.RetryPolicy.__init__.__defaults__ = (7, 0.001, 0.05, float("inf"))
    main.OUTAGE_PATIENCE = replace(main.OUTAGE_PATIENCE, first_pause=0.001, longest_pause=0.05)  # type: ignore[misc]
    archive.LOOK_SECONDS = 0.01  # type: ignore[misc]
    writer.PATIENCE = 0.15  # type: ignore[misc]
    writer.FIRST_PAUSE = writer.MAX_PAUSE = 0.05  # type: ignore[misc]
    errors.FIRST_PAUSE = errors.MAX_PAUSE = 0.05  # type: ignore[misc]
    main.FIRST_PAUSE = main.MAX_PAUSE = 0.05  # type: ignore[misc]
    fleet.ONCE_PATIENCE = 0.5  # type: ignore[misc]
    database._WAL_PAUSE_S = 0.001  # type: ignore[misc]  # noqa: SLF001
