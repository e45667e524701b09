"""Which database errors are transient, and how often and how long to retry."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy.exc import DBAPIError, DisconnectionError, InterfaceError, OperationalError

from newscrawl.errors import DatabaseUnavailable
from newscrawl.storage.engine.outage import WAITS

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
"""SQLite's primary result codes for conditions of the machine, not of the data: locked, disk full, read-only."""

_SQLSTATE_TRANSIENT: Final = ("08", "25", "40", "53", "55", "57", "58")
"""PostgreSQL's SQLSTATE classes for the same: connection, transaction state (a standby is read-only), rollback,
resources, not in the needed state (locks), operator intervention (shutdown), system. Class 54 (program limits) is about
data."""


_SQLITE_LOCKED: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
"""The codes for a lock of another process that writes."""

LOCK_PATIENCE_S: Final = 8.0
"""Seconds for which the first work of a store retries a locked SQLite file. Each attempt waits five seconds by itself
(database.BUSY_TIMEOUT_MS), so an operator gets the error after ten. Once pages are stored, all attempts are made."""


_SQLSTATE_LOCKED: Final = ("40", "55P03")
"""The same of PostgreSQL: a transaction rolled back (a deadlock), and a lock that was waited for until the server's
limit."""

_SQLSTATE_AWAY: Final = ("08", "53", "57P")
"""SQLSTATE prefixes of a server that is unreachable: connection, resources (too many connections), operator
intervention (shutting down, starting up)."""

_FOR_THE_OPERATOR: Final = re.compile(
    r"authentication|no password supplied|does not exist|pg_hba\.conf|permission denied|not permitted|invalid"
    r"|certificate|\bSSL\b|\bTLS\b|unsupported|missing \"=\""
)
"""Messages of errors that only an operator can fix: passwords, names of databases and roles, rights, parameters of the
URL."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """A limited number of attempts with doubling pauses, in seconds.

    The default is 7 attempts within about 6 s, which outlasts a restart of the server. SQLite's own wait for a lock
    (database.BUSY_TIMEOUT_MS) is added to each attempt. After `lock_patience` seconds a locked file is not tried again.
    """

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
        """Calls `function` until it succeeds, and returns its result. Raises an error that is not transient, or that of
        the last attempt. There is no further attempt in a process that ends and got no answer.

        `failed` is called with each transient error, before the pause.
        """
        pause, began = self.first_pause, time.monotonic()
        for left in range(self.attempts - 1, -1, -1):
            try:
                return function()
            except (DBAPIError, DatabaseUnavailable) as error:
                if not is_transient(error):
                    raise
                failed(error)
                is_late = is_locked(error) and time.monotonic() - began >= self.lock_patience
                if not left or is_late or WAITS.has_given_up:
                    raise
            sleep(pause)
            pause = min(self.longest_pause, pause * 2)
        raise ValueError(f"{self.attempts} attempts: give one at least")


ONCE: Final = RetryPolicy(attempts=1)


def is_locked(error: BaseException) -> bool:
    """Returns whether another process has a SQLite file locked."""
    driver = error.orig if isinstance(error, DBAPIError) else error
    return (getattr(driver, "sqlite_errorcode", None) or 0) & 0xFF in _SQLITE_LOCKED


def is_held(error: BaseException) -> bool:
    """Returns whether another transaction holds what a statement needs, in a SQLite file or on PostgreSQL."""
    state = getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None
    return is_locked(error) or (state or "").startswith(_SQLSTATE_LOCKED)


def is_full(error: BaseException) -> bool:
    """Returns whether the disk takes no more data. Small writes may succeed all the same."""
    driver = error.orig if isinstance(error, DBAPIError) else None
    code = (getattr(driver, "sqlite_errorcode", None) or 0) & 0xFF
    return code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR} or getattr(driver, "sqlstate", None) == "53100"


def is_away(error: BaseException) -> bool:
    """Returns whether a database server cannot be reached, is starting or stopping, or has no free connection.

    Without a connection the driver knows no SQLSTATE, so errors that only an operator can fix are recognized by the
    messages of libpq and the server. A server with messages in another language counts as unavailable: to wait in vain
    does less harm than to end the crawl while the server starts.
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
    """Returns whether the same statements may succeed later: a lock, a lost connection, a full disk, a server going
    down."""
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
