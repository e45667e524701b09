"""Errors of a database and what follows from them: which are transient, how often and how long to try again, how an
outage is logged, and how long the process waits for a server that does not answer.

An outage is logged with one line at its beginning and one at its end, however many operations fail.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from sqlalchemy.exc import DBAPIError, DisconnectionError, InterfaceError, OperationalError

from newscrawl.errors import DatabaseUnavailable

logger = logging.getLogger(__name__)

T = TypeVar("T")

LASTING: Final = 1.0
"""An outage is logged when it has lasted this many seconds. A shorter one (a lock, a restart) is not logged."""
REPEATED: Final = 60.0
"""Least seconds between the first lines of two outages if the second follows at once."""
WRITES_WAIT: Final = "what has to be written waits, and is tried again for a while"
REQUESTS_WAIT: Final = "no new requests are made until the database answers"
"""What an outage means, in a process that does not crawl and in one that does."""
AT_ONCE: Final = 1.0
"""An outage that begins within this many seconds of the end of another follows at once: on a full disk, small writes
succeed between large ones that fail."""
FIRST_PAUSE: Final = 5.0
MAX_PAUSE: Final = 60.0
"""Seconds between two pages that are fetched while pages cannot be stored; they double."""

ENDING_S: Final = 20.0
"""Seconds without an answer in a process that was told to end. After that it waits for no other answer. It is less than
the time that `run` gives its crawls to end (NEWSCRAWL_RUN_DRAIN_TIMEOUT)."""

SILENCE_REPEATED: Final = 60.0
"""Least seconds between two lines about servers that do not answer: all threads of a process notice it."""


@dataclass(slots=True)
class Outage:
    """The present outage, if any. Set by the writer thread, read by any thread."""

    lasts: bool = False
    """Whether the last attempt failed with a transient error."""
    meaning: str = WRITES_WAIT
    refused: str = ""
    """Why pages cannot be stored, until one is stored. Small writes may succeed meanwhile."""
    _again_at: float = field(default=0.0, repr=False)
    _pause: float = field(default=0.0, repr=False)
    _refused_at: float = field(default=0.0, repr=False)
    _began: float = field(default=0.0, repr=False)
    _ended: float = field(default=-AT_ONCE, repr=False)
    _logged_at: float = field(default=-REPEATED, repr=False)
    _is_repeated: bool = field(default=False, repr=False)
    _is_logged: bool = field(default=False, repr=False)

    def begin(self, reason: str) -> None:
        """Notes a failed attempt; logs it once the outage lasts for LASTING seconds."""
        now = time.monotonic()
        if not self.lasts:
            self.lasts, self._began, self._is_logged = True, now, bool(self.refused)
            self._is_repeated = now - self._ended < AT_ONCE
        elif not self._is_logged and now - self._began >= LASTING and not self._is_too_soon(now):
            self._is_logged, self._logged_at = True, now
            logger.error("%s; %s", reason, self.meaning)

    def end(self) -> None:
        """Notes a successful attempt; logs the end of an outage that was logged."""
        if not self.lasts:
            return
        self.lasts, self._ended = False, time.monotonic()
        if self._is_logged and not self.refused:  # `pages_stored` logs that end
            logger.warning("the database answers again, after %.0f s", time.monotonic() - self._began)

    @property
    def holds_requests(self) -> bool:
        """Whether nothing is to be fetched now."""
        return self.lasts or (bool(self.refused) and time.monotonic() < self._again_at)

    def refuse_pages(self, reason: str) -> None:
        """Notes that pages were not stored after all attempts. The next ones are fetched after a growing pause."""
        now = time.monotonic()
        if not self.refused:
            self._refused_at, self._pause = self._began or now, FIRST_PAUSE
            if not self._is_logged:
                logger.error("%s; %s", reason, self.meaning)
        else:
            self._pause = min(2 * self._pause, MAX_PAUSE)
        self.refused, self._again_at, self._is_logged = reason, now + self._pause, True

    def pages_stored(self) -> None:
        """Notes that a page was stored; logs the end of refusals."""
        if self.refused:
            self.refused = ""
            logger.warning("the database stores pages again, after %.0f s", time.monotonic() - self._refused_at)

    def _is_too_soon(self, now: float) -> bool:
        return self._is_repeated and now - self._logged_at < REPEATED


@dataclass(slots=True)
class Waits:
    """What the waits of a process for PostgreSQL have in common. Any thread reads and sets it."""

    is_ending: bool = False
    has_given_up: bool = False
    """Whether the process was ending when the server did not answer: then it asks no server any longer."""
    logged_at: float = -SILENCE_REPEATED

    def is_too_long(self, silence: float, limit: float) -> bool:
        """Returns whether a wait that has lasted for `silence` seconds has to end."""
        if not self.has_given_up and silence >= (min(limit, ENDING_S) if self.is_ending else limit):
            self.has_given_up = self.is_ending
            return True
        return self.has_given_up

    def log(self, message: str) -> None:
        """Logs that a server does not answer, unless another thread did so lately."""
        now = time.monotonic()
        if now - self.logged_at >= SILENCE_REPEATED:
            self.logged_at = now
            logger.warning("%s", message)


WAITS: Final = Waits()


def end_soon() -> None:
    """Notes that this process was told to end: it waits for a silent PostgreSQL server for ENDING_S seconds, once."""
    WAITS.is_ending = True


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
    """A limited number of attempts with doubling pauses, in seconds. newscrawl.storage.deliveries has those
    of receivers.

    The default is 7 attempts within about 6 s, which outlasts a restart of the server. SQLite's own wait for a lock
    (database.BUSY_TIMEOUT_MS) is added to each attempt. After `lock_patience` seconds a locked file is not tried again.
    """

    attempts: int = 7
    first_pause: float = 0.1
    longest_pause: float = 5.0
    lock_patience: float = float("inf")

    def pause_after(self, failures: int) -> float | None:
        """Returns the seconds between so many failures in a row and the next attempt; None after the last attempt."""
        if failures >= self.attempts:
            return None
        return min(self.longest_pause, self.first_pause * 2.0 ** min(failures - 1, 60))

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
        began = time.monotonic()
        for failures in range(1, self.attempts + 1):
            try:
                return function()
            except (DBAPIError, DatabaseUnavailable) as error:
                if not is_transient(error):
                    raise
                failed(error)
                is_late = is_locked(error) and time.monotonic() - began >= self.lock_patience
                pause = self.pause_after(failures)
                if pause is None or is_late or WAITS.has_given_up:
                    raise
            sleep(pause)
        raise ValueError(f"{self.attempts} attempts: give one at least")


ONCE: Final = RetryPolicy(attempts=1)


def codes_of(error: BaseException) -> tuple[int, str]:
    """Returns SQLite's primary result code and PostgreSQL's SQLSTATE of an error; 0 and "" where there is none."""
    driver = error.orig if isinstance(error, DBAPIError) else error
    return (getattr(driver, "sqlite_errorcode", None) or 0) & 0xFF, getattr(driver, "sqlstate", None) or ""


def is_locked(error: BaseException) -> bool:
    """Returns whether another process has a SQLite file locked."""
    return codes_of(error)[0] in _SQLITE_LOCKED


def is_held(error: BaseException) -> bool:
    """Returns whether another transaction holds what a statement needs, in a SQLite file or on PostgreSQL."""
    return is_locked(error) or codes_of(error)[1].startswith(_SQLSTATE_LOCKED)


def is_full(error: BaseException) -> bool:
    """Returns whether the disk takes no more data. Small writes may succeed all the same."""
    code, state = codes_of(error)
    return code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR} or state == "53100"


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
    if isinstance(error.orig, sqlite3.Error):
        return False
    if state := codes_of(error)[1]:
        return state.startswith(_SQLSTATE_AWAY)
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
    code, state = codes_of(error)
    return code in _SQLITE_TRANSIENT if code else not state or state.startswith(_SQLSTATE_TRANSIENT)
