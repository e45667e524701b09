"""Opens the database for reading only: for commands that need neither the store nor its writer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from newscrawl.errors import SchemaError
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import begin_read, explained, make_reader, parse_url, shown
from newscrawl.storage.protocols import Connection


@contextmanager
def open_reader(url: str) -> Iterator[Connection]:
    """Opens a read-only connection for the reports, without a store.

    Raises StorageError if there is no database yet or it cannot be read, SchemaError for any other schema than this
    code's.
    """
    parsed = parse_url(url)
    with explained(parsed, "read"), begin_read(make_reader(parsed)) as connection:
        if not migrations.check(connection, parsed):
            raise SchemaError(
                f"database {shown(parsed)} has no tables yet or those of an older newscrawl: run `newscrawl db upgrade`"
            )
        yield connection
