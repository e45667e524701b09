"""Opens the database for reading only: for commands and programs that need neither the store nor its writer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from newscrawl.errors import SchemaError
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import explained, make_reader, parse_url, shown
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.protocols import Connection


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


@contextmanager
def open_reader(url: str) -> Iterator[Connection]:
    """Opens a read-only connection for the reports, without a store.

    Raises StorageError if there is no database yet or it cannot be read, SchemaError for any other schema than this
    code's.
    """
    with ReadDatabase(url).reading() as connection:
        yield connection
