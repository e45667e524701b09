"""The interface of the database for the rest of newscrawl: two Protocols, and a connection that it only passes on.

A change is `database.run(function, ...)`. The function belongs to this package, and its first parameter is the
connection of its transaction. Type checkers compare the other arguments with the function's own parameters. A read is
`with database.reading() as connection`. The block may call several functions of this package, which all see one state.
No other package calls a method of a connection (tests/test_borders.py).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

import sqlalchemy

P = ParamSpec("P")
T = TypeVar("T")

Connection: TypeAlias = sqlalchemy.Connection
"""A transaction, or a view of one state. Only modules of this package use its methods."""

Reader: TypeAlias = AbstractContextManager[Connection]
"""A context manager that opens a view of one state of the database."""


class Transactions(Protocol):
    """A database that runs transactions. Most parts of a crawl need only this of the store."""

    def run(
        self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `transaction(connection, ...)` in its own transaction. The future resolves after the commit; it fails
        with StorageError for an error of the database, else with the function's error."""


class Database(Transactions, Protocol):
    """A database that runs transactions and can be read."""

    @property
    def notes(self) -> Transactions:
        """Runs statements that each change single rows on a condition, without the lock of writers."""

    def reading(self) -> Reader:
        """Returns a view of one state of the database, in the caller's thread. No writer waits for it. Raises
        StorageError."""
