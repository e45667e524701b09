"""INSERT ... ON CONFLICT, in the syntax that SQLite and PostgreSQL share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Insert, Row, Table, case
from sqlalchemy.dialects import postgresql, sqlite

from newscrawl.storage.engine.row_mapping import Values


def insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
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
    names = tuple(column.name for column in returning)
    # A statement is cached only if `changes` has functions and no values; most functions are those of a module.
    make = _kept_statement if all(map(callable, columns.values())) else _statement
    statement = make(connection.dialect.name, table, tuple(key), tuple(columns.items()), names)
    if not returning:
        connection.execute(statement, list(rows))
        return []
    return connection.execute(statement, list(rows)).all()


def insert_new(connection: Connection, table: Table, key: str, rows: Sequence[Values]) -> Sequence[Row[Any]]:
    """Inserts rows that were not stored when they were looked up. Returns their keys, and their ids if the table has
    them. Raises Overtaken if another transaction has stored one of them since."""
    if not rows:
        return []
    statement = _kept_insert(connection.dialect.name, table, key)
    written = connection.execute(statement, list(rows)).all()
    if len(written) != len(rows):
        raise Overtaken(f"{len(rows) - len(written)} rows of {table.name} were stored meanwhile")
    return written


class Overtaken(Exception):
    """Another transaction has stored what this one was about to store, so its look-ups are no longer right."""


@lru_cache(maxsize=16)
def _kept_insert(dialect: str, table: Table, key: str) -> Insert:
    statement = postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
    new = statement.on_conflict_do_nothing(index_elements=[key])
    return new.returning(table.c[key], *(column for column in table.c if column.name == "id"))


def _statement(
    dialect: str, table: Table, key: tuple[str, ...], changes: tuple[tuple[str, Any], ...], returning: tuple[str, ...]
) -> Insert:
    statement = postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
    assignments: dict[str, ColumnElement[Any]] = {
        name: value(table.c[name], statement.excluded[name]) if callable(value) else value for name, value in changes
    }
    statement = statement.on_conflict_do_update(index_elements=list(key), set_=assignments)
    # Inline: SQLAlchemy would ask for the id of a single row, and wait for it.
    return statement.returning(*(table.c[name] for name in returning)) if returning else statement.inline()


_kept_statement: Final = lru_cache(maxsize=64)(_statement)
"""Cached, because building a statement takes longer than running it with a small batch."""


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
