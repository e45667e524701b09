"""Which errors of a database pass by themselves, and how long to wait for that."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy.exc import DBAPIError, DisconnectionError, InterfaceError, OperationalError

T = TypeVar("T")

_SQLITE_TRANSIENT: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_NOMEM,
    }
)
"""Primary result codes that say something of the machine, not of the data: locked, disk full, gone read-only."""

_SQLSTATE_TRANSIENT: Final = ("08", "25", "40", "53", "55", "57", "58")
"""Classes of PostgreSQL's SQLSTATE, likewise: connection, transaction state (a standby is read-only), rollback,
resources, not in the needed state (locks), operator intervention (shutdown), system. 54 (program limits) is data."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Bounded attempts with doubling pauses, in seconds: by default 7 within about 6 s, which outlasts a restart of the
    server; SQLite's own wait for a lock (database.BUSY_TIMEOUT_MS) comes on top of each."""

    attempts: int = 7
    first_pause: float = 0.1
    longest_pause: float = 5.0

    def call(self, function: Callable[[], T]) -> T:
        """Calls until it succeeds; what is not transient, and what the last attempt raises, is raised."""
        pause = self.first_pause
        for _ in range(self.attempts - 1):
            try:
                return function()
            except DBAPIError as error:
                if not is_transient(error):
                    raise
            time.sleep(pause)
            pause = min(self.longest_pause, pause * 2)
        return function()


ONCE: Final = Retry(attempts=1)


def is_transient(error: BaseException) -> bool:
    """Whether the same statements may succeed later: a lock, a lost connection, a full disk, a server going down."""
    if isinstance(error, DisconnectionError) or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_TRANSIENT
    state = getattr(error.orig, "sqlstate", None)
    return state is None or state.startswith(_SQLSTATE_TRANSIENT)
