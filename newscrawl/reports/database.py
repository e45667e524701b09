"""Reports the condition of a database: version, schema, size, clock, statistics, and whether it accepts a write.

`look_at` opens the database itself, and works with any schema. It changes nothing: its write is rolled back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, func, inspect, select, text

from newscrawl.errors import MissingDatabase, StorageError
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import check_folder, explained, make_engine, make_reader, parse_url, shown
from newscrawl.storage.engine.transactions import begin_read, time_of
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.machines import newest_time

MANY_ROWS: Final = 10_000
"""Rows of a table from which PostgreSQL needs statistics to choose the right index."""
WRITE_LIMITS: Final = ("SET LOCAL lock_timeout = '5s'", "SET LOCAL statement_timeout = '5s'")


@dataclass(frozen=True, slots=True)
class DatabaseCondition:
    """The condition of a database that answers."""

    name: str
    """Its address without user and password; a SQLite database's file."""
    product: str
    """Name and version, such as "PostgreSQL 17.2"."""
    file: Path | None = None
    """The file of a SQLite database."""
    exists: bool = True
    """False for a SQLite file that no crawl has created yet."""
    is_current: bool = False
    """Whether the tables are those of this newscrawl."""
    size: int = 0
    """Bytes."""
    clock: datetime | None = None
    """The time by the database server; None for SQLite, which has no clock of its own."""
    newest: datetime | None = None
    """The newest time that a crawl has stored in a SQLite database."""
    without_statistics: tuple[str, ...] = ()
    """Tables of PostgreSQL with `MANY_ROWS` or more that were never analyzed."""
    refusal: str = ""
    """Why it does not accept a write; "" if it does, or if its tables are not current."""


def database_bytes(connection: Connection) -> int:
    """Returns the size of the database in bytes, without its write-ahead log."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    pages_of_file = connection.execute(text("PRAGMA page_count")).scalar_one()
    return int(pages_of_file) * int(connection.execute(text("PRAGMA page_size")).scalar_one())


def look_at(address: str) -> DatabaseCondition:
    """Returns the condition of the database at a URL. Raises StorageError if it cannot be read, and SchemaError if it
    is newer than this code or contains tables of something else."""
    url = parse_url(address)
    file = Path(url.database or "").resolve() if url.get_backend_name() == "sqlite" else None
    try:
        reader = make_reader(url)
    except MissingDatabase:
        check_folder(url)
        return DatabaseCondition(shown(url), "SQLite", file, exists=False)
    with explained(url, "read"), begin_read(reader) as connection:
        is_current = migrations.check(connection, url)
        is_server = file is None
        found = DatabaseCondition(
            shown(url),
            _product(connection),
            file,
            is_current=is_current,
            size=database_bytes(connection),
            clock=time_of(connection) if is_server else None,
            newest=newest_time(connection) if is_current and not is_server else None,
            without_statistics=_without_statistics(connection) if is_server else (),
        )
    return _with_write(found, url) if is_current else found


def _with_write(found: DatabaseCondition, url: URL) -> DatabaseCondition:
    """Returns the condition with the result of a write that is rolled back."""
    try:
        check_folder(url)
        with explained(url, "write to"), make_engine(url, pooled=False).connect() as connection:
            if connection.dialect.name == "postgresql":
                for limit in WRITE_LIMITS:
                    connection.execute(text(limit))
            probe(connection)
            connection.rollback()
    except StorageError as error:
        return replace(found, refusal=str(error))
    return found


def _product(connection: Connection) -> str:
    if connection.dialect.name == "postgresql":
        version = str(connection.execute(text("SHOW server_version")).scalar_one())
        return f"PostgreSQL {version.split()[0]}"
    return f"SQLite {connection.execute(select(func.sqlite_version())).scalar_one()}"


def _without_statistics(connection: Connection) -> tuple[str, ...]:
    """Returns the large tables of which PostgreSQL has no statistics, as after pg_restore or with autovacuum off."""
    own = set(inspect(connection).get_table_names())
    rows = connection.execute(
        text(
            "SELECT relname FROM pg_stat_user_tables WHERE n_live_tup >= :many"
            " AND last_analyze IS NULL AND last_autoanalyze IS NULL ORDER BY n_live_tup DESC"
        ),
        {"many": MANY_ROWS},
    )
    return tuple(str(row.relname) for row in rows if row.relname in own)
