"""How transactions begin: one that writes excludes all others that write, one that reads waits for none, and single
rows are written beside both (PostgreSQL). How stopped processes lose their locks, and the time by which processes on
several machines agree.

docs/explanation/design-storage.md says why one lock is enough.

A PostgreSQL server ends a session by itself that is idle within a transaction (database._WRITER_LIMITS). But while it
waits for the rest of a pipeline, as psycopg's executemany is one, no time-out of the server runs, except
`transaction_timeout` since version 17, whether it counts the session as active or, after a message that only asks for
the results, as idle within its transaction. If a process is stopped or cut off at that moment, its locks would last
until it goes on, dies, or TCP gives up after two hours. So whoever waited in vain for a lock ends such sessions.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, Engine, func, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from newscrawl.errors import DatabaseUnavailable, StorageError
from newscrawl.storage.engine.database import BEGIN_MODE, make_engine, storage_error
from newscrawl.storage.engine.errors import ONCE, Outage, RetryPolicy, codes_of

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

WRITE_LOCK: Final = 0x6E657773637261
"""The PostgreSQL advisory lock of the one transaction that writes ("newscra" in ASCII)."""

_LOCK: Final = text("SELECT pg_advisory_xact_lock(:key)")

STOPPED_AFTER: Final = timedelta(seconds=60)
"""How long a session has waited for its process: as long as the server lets one be idle within a transaction."""

_LOCK_NOT_AVAILABLE: Final = "55P03"

_END: Final = text("""
SELECT coalesce(host(client_addr), 'this machine'), clock_timestamp() - state_change, pg_terminate_backend(pid)
FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user
  AND application_name = current_setting('application_name')
  AND wait_event_type = 'Client' AND xact_start IS NOT NULL
  AND state_change < clock_timestamp() - CAST(:stopped_after AS interval)
  AND EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = pg_stat_activity.pid AND granted
              AND (locktype = 'advisory' OR mode = 'RowExclusiveLock'))
""")
"""`state_change` is the time of the session's latest message. A session that only reads, such as an export that waits
for its consumer, has none of these locks. A role may always end its own sessions."""


@contextmanager
def begin_write(engine: Engine) -> Iterator[Connection]:
    """Opens a transaction that excludes all other writers of newscrawl: what it reads stays true until it commits.

    SQLite has one writer anyway (BEGIN IMMEDIATE); on PostgreSQL an advisory lock is held until the commit.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(_LOCK, {"key": WRITE_LOCK})
        yield connection


@contextmanager
def begin_read(engine: Engine) -> Iterator[Connection]:
    """Opens a reading transaction with one consistent view. It waits for no writer, and no writer waits for it."""
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            options: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        else:
            options = {BEGIN_MODE: "DEFERRED"}
        connection = connection.execution_options(**options)
        with connection.begin():
            yield connection


def time_of(connection: Connection, now: datetime | None = None) -> datetime:
    """Returns `now`, or the present time by the database's clock if it is None.

    A PostgreSQL server gives its own time, which does not depend on how long the transaction has waited. A SQLite file
    is used on one machine only, whose clock it is.
    """
    if now is not None:
        return now
    if connection.dialect.name != "postgresql":
        return datetime.now(UTC)
    stated: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return stated.astimezone(UTC)


def in_attempts(
    engine: Engine,
    outage: Outage,
    retry: RetryPolicy,
    work: Callable[[], T],
    doing: str = "write to",
    sleep: Callable[[float], object] = time.sleep,
) -> T:
    """Returns `work()`, which opens a transaction, after as many attempts as `retry` allows. Notes failed ones as an
    outage. A statement that waited for a lock until the server's limit may have waited for a stopped process."""

    def failed(error: Exception) -> None:
        outage.begin(str(storage_error(error, engine.url, doing)))
        if codes_of(error)[1] == _LOCK_NOT_AVAILABLE:
            end_stopped(engine)

    return retry.call(work, failed, sleep)


def end_stopped(engine: Engine, stopped_after: timedelta = STOPPED_AFTER) -> int:
    """Ends the sessions of newscrawl that have waited for so long for the rest of a pipeline, each with a line in the
    log. Returns their number; 0 if the server cannot be asked, because the caller tries again anyway."""
    try:
        with engine.begin() as connection:
            ended = connection.execute(_END, {"stopped_after": stopped_after}).all()
    except DBAPIError as error:
        logger.debug("the sessions of stopped processes are not known: %s", error)
        return 0
    for address, silent, _ in ended:
        logger.warning(
            "ended a database session from %s: its process stopped within a transaction %.0f s ago, and its locks kept "
            "others waiting",
            address,
            silent.total_seconds(),
        )
    return len(ended)


class UnorderedWriter:
    """Runs short transactions on a PostgreSQL database without the lock of other writers.

    The lock keeps what a transaction has read true until it commits, and changes in the order of their numbers.
    Transactions on leases and counts need neither: their statements state the conditions that must hold, and lock
    single rows. The thread and the connection begin with the first transaction. A database that refuses them is
    unreachable for the pages too (`outage`). After a transaction that failed in all its attempts, the next ones have
    one attempt each until one succeeds, so that an ending process does not wait through the attempts of every lease
    that it releases."""

    def __init__(self, url: URL, retry: RetryPolicy, outage: Outage) -> None:
        self._url = url
        self._retry = retry
        self._outage = outage
        self._is_failing = False
        self._engine = make_engine(url, is_writer=True)
        self._each_alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="newscrawl-leases")

    def run(
        self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `transaction(connection, ...)` in its own transaction; see storage.reader.Transactions."""
        return self._submit(self._engine, lambda connection: transaction(connection, *args, **kwargs))

    def run_statements(
        self, statements: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `statements(connection, ...)`, each of which is a transaction of its own: a process that is stopped
        between two of them keeps no row locked."""
        return self._submit(self._each_alone, lambda connection: statements(connection, *args, **kwargs))

    def close(self) -> None:
        """Ends the thread after the transactions that wait, and closes the connection."""
        self._thread.shutdown()
        self._engine.dispose()

    def _submit(self, engine: Engine, function: Callable[[Connection], T]) -> Future[T]:
        try:
            return self._thread.submit(self._run, engine, function)
        except RuntimeError:  # as Store.run
            raise StorageError("the store is closed") from None

    def _run(self, engine: Engine, function: Callable[[Connection], T]) -> T:
        def once() -> T:
            with engine.begin() as connection:
                return function(connection)

        try:
            result = in_attempts(self._engine, self._outage, ONCE if self._is_failing else self._retry, once)
        except (SQLAlchemyError, DatabaseUnavailable) as error:
            self._is_failing = True
            raise storage_error(error, self._url, "write to") from error
        self._is_failing = False
        return result
