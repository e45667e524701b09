"""New databases with the schema, on SQLite or on a PostgreSQL server that runs meanwhile."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from newscrawl.storage import open_store
from newscrawl.testing.services import postgresql

MAX_DATABASES: Final = 10_000
"""Addresses that one series gives."""


def with_schema(database: str) -> str:
    """Creates or upgrades the schema of a database. Returns its address."""
    open_store(database, upgrade=True).close()
    return database


@contextlib.contextmanager
def new_database(folder: Path, *, on_postgresql: bool) -> Iterator[str]:
    """Yields the address of a database with the schema: a file in `folder`, or on a server that runs meanwhile."""
    if not on_postgresql:
        yield with_schema(f"sqlite:///{folder / 'fleet.db'}")
        return
    with postgresql.server() as server:
        yield with_schema(postgresql.new_database(server))


@contextlib.contextmanager
def sqlite_databases() -> Iterator[Iterator[str]]:
    """Yields addresses of new SQLite databases without schema."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-kill-") as folder:
        yield (f"sqlite:///{folder}/{number}.db" for number in range(MAX_DATABASES))


@contextlib.contextmanager
def postgresql_databases() -> Iterator[Iterator[str]]:
    """Addresses of new databases with the schema, on a server that runs meanwhile. All are copies of one database."""
    with postgresql.server() as server:
        template = postgresql.database_name(with_schema(postgresql.new_database(server)))
        yield (postgresql.new_database(server, template) for _ in range(MAX_DATABASES))
