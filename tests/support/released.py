"""A database as newscrawl at commit a4b86e7 left it (schema 0008), and what its commands told of it.

tests/upgrade/fill_0008.py made the two files, with the code of that commit.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command

from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write

FOLDER: Final = Path(__file__).resolve().parents[1] / "upgrade"
REVISION: Final = "0008"
HASHED: Final = frozenset({"text", "diff", "snippet"})
"""Long parts of what commands tell: compared by a hash."""


def told_then() -> dict[str, Any]:
    """What export, feed, history and search printed, and the alarms that two days of silence opened."""
    told: dict[str, Any] = json.loads((FOLDER / "from_0008.json").read_text(encoding="utf-8"))
    return told


def shortened(value: Any) -> Any:
    """What a command told, long texts as hashes."""
    if isinstance(value, dict):
        return {key: _hash(found) if key in HASHED else shortened(found) for key, found in value.items()}
    return [shortened(one) for one in value] if isinstance(value, list) else value


def _hash(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()


def tables() -> dict[str, int]:
    """The tables of the dump with their numbers of rows."""
    with closing(_memory()) as dump:
        return {name: dump.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in _names(dump)}


def load_sqlite(path: Path) -> str:
    """The dump as a SQLite file; its address."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_dump())
    return f"sqlite:///{path}"


def load_postgresql(url: str) -> None:
    """The dump's rows in an empty PostgreSQL database, in the tables that the migrations of that time make."""
    engine = make_engine(parse_url(url), pooled=False)
    with begin_write(engine) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, REVISION)
    with begin_write(engine) as connection, closing(_memory()) as dump:
        schema = sa.MetaData()
        schema.reflect(connection)
        assert {table.name for table in schema.sorted_tables} == set(_names(dump))
        for table in schema.sorted_tables:
            if table.name != migrations.VERSION_TABLE:
                rows = list(_rows(dump, table))
                if rows:
                    connection.execute(table.insert(), rows)
                _set_sequence(connection, dump, table)
    engine.dispose()


def _dump() -> str:
    return (FOLDER / "from_0008.sql").read_text(encoding="utf-8")


def _memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(_dump())
    return connection


def _names(dump: sqlite3.Connection) -> list[str]:
    found = dump.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return sorted(name for (name,) in found)


def _rows(dump: sqlite3.Connection, table: sa.Table) -> Iterator[dict[str, Any]]:
    names = [column.name for column in table.columns]
    quoted = ", ".join(f'"{name}"' for name in names)
    for row in dump.execute(
        f'SELECT {quoted} FROM "{table.name}" ORDER BY rowid'
        if _has_rowid(table)
        else f'SELECT {quoted} FROM "{table.name}"'
    ):
        yield {name: converted(value, table.columns[name].type) for name, value in zip(names, row, strict=True)}


def _has_rowid(table: sa.Table) -> bool:
    return table.name != "signature_bands"


def converted(value: Any, kind: sa.types.TypeEngine[Any]) -> Any:
    """A value of SQLite as PostgreSQL's column has it."""
    if value is None:
        return sa.null() if isinstance(kind, sa.JSON) else None
    if isinstance(kind, sa.Boolean):
        return bool(value)
    if isinstance(kind, sa.DateTime):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    if isinstance(kind, sa.Date):
        return date.fromisoformat(value)
    return json.loads(value) if isinstance(kind, sa.JSON) else value


def _set_sequence(connection: sa.Connection, dump: sqlite3.Connection, table: sa.Table) -> None:
    """The next number is the one that SQLite would give: one given out once never comes again."""
    for name in ("id", "seq"):
        if name in table.columns:
            given = dump.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", [table.name]).fetchone()
            most = given or dump.execute(f'SELECT max("{name}") FROM "{table.name}"').fetchone()
            connection.execute(
                sa.text("SELECT setval(pg_get_serial_sequence(:table, :name), :most)"),
                {"table": table.name, "name": name, "most": most[0]},
            )
