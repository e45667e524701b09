"""A database in memory for tests that need hundreds of empty ones. The tables are made once in a process.

Making the tables and SQLAlchemy's statements anew took more than half of such a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import StaticPool
from stored_rows import metadata

from newscrawl.storage import migrations


@contextmanager
def empty_tables() -> Iterator[Connection]:
    """A connection to all tables, without rows, in a transaction that is rolled back at the end."""
    with _engine().connect() as connection, connection.begin() as transaction:
        yield connection
        transaction.rollback()


@cache
def _engine() -> Engine:
    engine = create_engine("sqlite://", poolclass=StaticPool)

    @event.listens_for(engine, "connect")
    def _(opened: Any, _record: object) -> None:
        opened.isolation_level = None  # the driver begins no transactions of its own, which a savepoint could end

    @event.listens_for(engine, "begin")
    def _(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    metadata.create_all(engine)
    with engine.begin() as connection:
        for view in migrations.views("sqlite"):
            connection.exec_driver_sql(view)
    return engine
