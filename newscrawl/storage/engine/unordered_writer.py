"""Short transactions beside the store's writer, with a thread and a connection of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from newscrawl.errors import DatabaseUnavailable, StorageError
from newscrawl.storage.engine.database import make_engine, storage_error
from newscrawl.storage.engine.retry import ONCE, RetryPolicy
from newscrawl.storage.machines.stopped_sessions import end_stopped, is_lock_timeout

P = ParamSpec("P")
T = TypeVar("T")


class UnorderedWriter:
    """Runs short transactions on a PostgreSQL database without the lock of other writers.

    The lock keeps what a transaction has read true until it commits, and changes in the order of their numbers.
    Transactions on leases and counts need neither: their statements state the conditions that must hold, and lock
    single rows. The thread and the connection begin with the first transaction. `failed` is called with each
    transient error."""

    def __init__(
        self,
        url: URL,
        name: str,
        retry: RetryPolicy = ONCE,
        failed: Callable[[Exception], None] = lambda _error: None,
    ) -> None:
        self._url = url
        self._retry = retry
        self._failed = failed
        self._engine = make_engine(url, is_writer=True)
        self._each_alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"newscrawl-{name}")

    def run(
        self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `transaction(connection, ...)` in its own transaction; see storage.protocols.Transactions."""
        return self._submit(self._engine, transaction, *args, **kwargs)

    def run_statements(
        self, statements: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `statements(connection, ...)`, each of which is a transaction of its own: a process that is stopped
        between two of them keeps no row locked."""
        return self._submit(self._each_alone, statements, *args, **kwargs)

    def close(self) -> None:
        """Ends the thread after the transactions that wait, and closes the connection."""
        self._thread.shutdown()
        self._engine.dispose()

    def _submit(
        self, engine: Engine, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        try:
            return self._thread.submit(self._run, engine, transaction, *args, **kwargs)
        except RuntimeError:  # as Store.run
            raise StorageError("the store is closed") from None

    def _run(
        self, engine: Engine, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        def once() -> T:
            with engine.begin() as connection:
                return transaction(connection, *args, **kwargs)

        def failed(error: Exception) -> None:
            self._failed(error)
            if is_lock_timeout(error):
                end_stopped(self._engine)

        try:
            return self._retry.call(once, failed)
        except (SQLAlchemyError, DatabaseUnavailable) as error:
            raise storage_error(error, self._url, "write to") from error
