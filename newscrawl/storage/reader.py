"""The interface of the database for the rest of newscrawl, and what opens it for reading only.

A change is `database.run(function, ...)`. The function belongs to this package, and its first parameter is the
connection of its transaction. Type checkers compare the other arguments with the function's own parameters. A read is
`with database.reading() as connection`. The block may call several functions of this package, which all see one state.
No other package calls a method of a connection (tests/test_borders.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from typing import Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

import sqlalchemy

from newscrawl.errors import SchemaError
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import explained, make_reader, parse_url, shown
from newscrawl.storage.engine.transactions import begin_read

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


class ReadDatabase:
    """A database that is read several times. Each reading opens a new connection; statements are compiled once.

    Raises StorageError for a URL that cannot be used, MissingDatabase if there is no database yet.
    """

    def __init__(self, url: str) -> None:
        self._url = parse_url(url)
        with explained(self._url, "read"):
            self._engine = make_reader(self._url)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A view of one state of the database. Raises StorageError if it cannot be read, SchemaError for any other
        schema than this code's."""
        with explained(self._url, "read"), begin_read(self._engine) as connection:
            if not migrations.check(connection, self._url):
                raise SchemaError.not_upgraded(shown(self._url))
            yield connection


def open_reader(url: str) -> Reader:
    """Opens a read-only connection for the reports, without a store.

    Raises StorageError if there is no database yet or it cannot be read, SchemaError for any other schema than this
    code's.
    """
    return ReadDatabase(url).reading()
