"""INSERT ... ON CONFLICT in the one spelling that SQLite and PostgreSQL share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, Table
from sqlalchemy.dialects import postgresql, sqlite

from newscrawl.storage.rows import Values


def insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that knows ON CONFLICT, in the connection's dialect."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def upsert(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    rows: Sequence[Values],
    changes: Mapping[str, Any] | None = None,
    returning: Sequence[Column[Any]] = (),
) -> Sequence[Row[Any]]:
    """Inserts the rows; where `key` is taken, writes the other columns over (or `changes`, if given).

    `changes` may hold functions of (stored column, incoming column) as values. No two rows may have the same key.
    Returns the `returning` columns of every row, in no order.
    """
    if not rows:
        return []
    statement = insert(connection, table)
    columns = changes if changes is not None else {name: _incoming for name in rows[0] if name not in key}
    assignments: dict[str, ColumnElement[Any]] = {
        name: value(table.c[name], statement.excluded[name]) if callable(value) else value
        for name, value in columns.items()
    }
    statement = statement.on_conflict_do_update(index_elements=list(key), set_=assignments)
    if not returning:
        connection.execute(statement, list(rows))
        return []
    return connection.execute(statement.returning(*returning), list(rows)).all()


def _incoming(_stored: object, incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return incoming
