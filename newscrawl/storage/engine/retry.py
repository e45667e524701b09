"""Which errors of a database pass by themselves, and how long to wait for that."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy.exc import DBAPIError, DisconnectionError, InterfaceError, OperationalError

from newscrawl.errors import DatabaseUnavailable

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


_SQLITE_LOCKED: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
"""Of these, those that say that another process is writing."""

LOCK_PATIENCE_S: Final = 8.0
"""How long the first work of a store tries a locked SQLite file. Each attempt waits five seconds by itself
(database.BUSY_TIMEOUT_MS), so that an operator is told after ten; once pages are stored, all attempts are made."""


_SQLSTATE_AWAY: Final = ("08", "53", "57P")
"""Connection, resources (too many connections), operator intervention (shutting down, starting up)."""

_FOR_THE_OPERATOR: Final = re.compile(
    r"authentication|no password supplied|does not exist|pg_hba\.conf|permission denied|not permitted|invalid"
    r"|certificate|\bSSL\b|\bTLS\b|unsupported|missing \"=\""
)
"""What waiting does not change: passwords, names of databases and roles, rights, parameters of the address."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Bounded attempts with doubling pauses, in seconds: by default 7 within about 6 s, which outlasts a restart of the
    server; SQLite's own wait for a lock (database.BUSY_TIMEOUT_MS) comes on top of each. After `lock_patience` seconds
    a locked file is not tried again."""

    attempts: int = 7
    first_pause: float = 0.1
    longest_pause: float = 5.0
    lock_patience: float = float("inf")

    def call(
        self,
        function: Callable[[], T],
        failed: Callable[[Exception], None] = lambda _error: None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> T:
        """Calls until it succeeds; what is not transient, and what the last attempt raises, is raised.

        `failed` is told each transient error at once, before the pause.
        """
        pause, began = self.first_pause, time.monotonic()
        for left in range(self.attempts - 1, -1, -1):
            try:
                return function()
            except (DBAPIError, DatabaseUnavailable) as error:
                if not is_transient(error):
                    raise
                failed(error)
                if not left or (is_locked(error) and time.monotonic() - began >= self.lock_patience):
                    raise
            sleep(pause)
            pause = min(self.longest_pause, pause * 2)
        raise ValueError(f"{self.attempts} attempts: give one at least")


ONCE: Final = Retry(attempts=1)


def is_locked(error: BaseException) -> bool:
    """Whether another process has a SQLite file locked."""
    driver = error.orig if isinstance(error, DBAPIError) else error
    return (getattr(driver, "sqlite_errorcode", None) or 0) & 0xFF in _SQLITE_LOCKED


def is_away(error: BaseException) -> bool:
    """Whether a database server cannot be reached, starts or stops, or has no connection to give.

    Before a connection stands the driver knows no SQLSTATE, so what only an operator can mend is told by the words of
    libpq and the server. A server that speaks another language counts as away: to wait in vain does less harm than to
    end crawling for good while it starts.
    """
    if not isinstance(error, OperationalError | InterfaceError | DisconnectionError):
        return False
    if isinstance(error, DisconnectionError) or error.connection_invalidated:
        return True
    if getattr(error.orig, "sqlite_errorcode", None) is not None or isinstance(error.orig, sqlite3.Error):
        return False
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return bool(state.startswith(_SQLSTATE_AWAY))
    return _FOR_THE_OPERATOR.search(str(error.orig)) is None


def is_transient(error: BaseException) -> bool:
    """Whether the same statements may succeed later: a lock, a lost connection, a full disk, a server going down."""
    if isinstance(error, DisconnectionError | DatabaseUnavailable):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_TRANSIENT
    state = getattr(error.orig, "sqlstate", None)
    return state is None or state.startswith(_SQLSTATE_TRANSIENT)
