"""INSERT ... ON CONFLICT, in the syntax that SQLite and PostgreSQL share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, Table, case
from sqlalchemy.dialects import postgresql, sqlite

from newscrawl.storage.engine.many_rows import AnyInsert, ManyRows, prepared
from newscrawl.storage.engine.row_mapping import Values


def insert(connection: Connection, table: Table) -> AnyInsert:
    """Returns an INSERT with support for ON CONFLICT, in the connection's dialect."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def upsert(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    rows: Sequence[Values],
    changes: Mapping[str, Any] | None = None,
    returning: Sequence[Column[Any]] = (),
) -> Sequence[Row[Any]]:
    """Inserts rows; for a row whose `key` is stored already, updates the other columns, or `changes` if given.

    A value in `changes` may be a function of (stored column, incoming column). No two rows may have the same key.
    Returns the columns `returning` of every row, in no particular order.
    """
    if not rows:
        return []
    columns = changes if changes is not None else dict.fromkeys((name for name in rows[0] if name not in key), incoming)
    if returning or not all(map(callable, columns.values())):
        return _upsert_of_values(connection, table, key, rows, columns, returning)
    # The statement has functions and no values; most functions are those of a module.
    kept = _kept_upsert(connection.dialect.name, table, tuple(key), tuple(columns.items()), tuple(rows[0]))
    kept.execute(connection, rows)
    return []


def insert_all(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Inserts rows of which none is stored."""
    if rows:
        _kept_insert(connection.dialect.name, table, tuple(rows[0])).execute(connection, rows)


def insert_new(connection: Connection, table: Table, key: str, rows: Sequence[Values]) -> dict[str, int]:
    """Inserts rows of which none is stored, in their order. Returns their ids by key."""
    if not rows:
        return {}
    new = insert(connection, table).returning(table.c[key], table.c.id)
    return {row[0]: row[1] for row in connection.execute(new, list(rows))}


def _upsert_of_values(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    rows: Sequence[Values],
    changes: Mapping[str, Any],
    returning: Sequence[Column[Any]],
) -> Sequence[Row[Any]]:
    """Does what `upsert` does if the changes have values, or if something is returned."""
    statement = _updating(insert(connection, table), tuple(key), tuple(changes.items()))
    if not returning:
        # Inline: SQLAlchemy would ask for the id of a single row, and wait for it.
        connection.execute(statement.inline(), list(rows))
        return []
    return connection.execute(statement.returning(*returning), list(rows)).all()


def _updating(statement: AnyInsert, key: tuple[str, ...], changes: tuple[tuple[str, Any], ...]) -> AnyInsert:
    table: Any = statement.table
    assignments: dict[str, ColumnElement[Any]] = {
        name: value(table.c[name], statement.excluded[name]) if callable(value) else value for name, value in changes
    }
    return statement.on_conflict_do_update(index_elements=list(key), set_=assignments)


@lru_cache(maxsize=64)
def _kept_upsert(
    database: str, table: Table, key: tuple[str, ...], changes: tuple[tuple[str, Any], ...], names: tuple[str, ...]
) -> ManyRows:
    """Cached, because building a statement takes longer than running it with a small batch."""
    return prepared(database, table, names, lambda statement: _updating(statement, key, changes))


@lru_cache(maxsize=16)
def _kept_insert(database: str, table: Table, names: tuple[str, ...]) -> ManyRows:
    return prepared(database, table, names, lambda statement: statement)


def incoming(_stored: object, new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Returns the rule of a column that takes the incoming value."""
    return new


def stored(old: ColumnElement[Any], _incoming: object) -> ColumnElement[Any]:
    """Returns the rule of a column that keeps the stored value."""
    return old


def earlier(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Returns the rule of a time that takes the earlier one."""
    return case((new < old, new), else_=old)


def later(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Returns the rule of a time that takes the later one."""
    return case((new > old, new), else_=old)
