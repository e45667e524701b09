"""Transactions on leases, beside the store's writer: with a thread and a connection of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.exc import SQLAlchemyError

from newscrawl.errors import StorageError
from newscrawl.storage.engine.database import make_engine, storage_error

P = ParamSpec("P")
T = TypeVar("T")


class LeaseWriter:
    """Runs short transactions on a PostgreSQL database without the lock of other writers, each once.

    A statement on a lease names the state that it changes, so it needs no lock against others. The thread and the
    connection begin with the first transaction.
    """

    def __init__(self, url: URL) -> None:
        self._url = url
        self._engine = make_engine(url, is_writer=True)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="newscrawl-leases")

    def run(
        self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `transaction(connection, ...)` in its own transaction; see storage.protocols.Transactions."""
        try:
            return self._thread.submit(self._run, transaction, *args, **kwargs)
        except RuntimeError:  # as Store.run
            raise StorageError("the store is closed") from None

    def close(self) -> None:
        """Ends the thread after the transactions that wait, and closes the connection."""
        self._thread.shutdown()
        self._engine.dispose()

    def _run(self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            with self._engine.begin() as connection:
                return transaction(connection, *args, **kwargs)
        except SQLAlchemyError as error:
            raise storage_error(error, self._url, "write to") from error
