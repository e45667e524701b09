"""SQL that SQLite and PostgreSQL share: rows that are inserted or updated, lists as one parameter, distinct values; and
the rows of dataclasses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar, TypeVarTuple

from sqlalchemy import (
    CTE,
    JSON,
    Column,
    ColumnElement,
    Connection,
    Delete,
    Dialect,
    LargeBinary,
    Row,
    Select,
    Table,
    Text,
    Update,
    bindparam,
    case,
    cast,
    column,
    func,
    select,
)
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

    AnyInsert: TypeAlias = postgresql.Insert | sqlite.Insert
Rule: TypeAlias = Callable[[Any, Any], Any]
"""What a column gets when its row is stored already, made of the stored and the incoming column."""
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Values = dict[str, Any]
"""A row by column names."""

CHUNK: Final = 2_000
"""Values in one IN list, or rows of one statement, whose limits are 32,766 (SQLite) and 65,535 (PostgreSQL) parameters.
The texts of so many articles take some ten megabytes."""


def chunks(values: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    """Yields the values in lists of at most `size`."""
    iterator = iter(values)
    while chunk := list(islice(iterator, size)):
        yield chunk


def read_rows(
    connection: Connection, on_sqlite: str, on_postgresql: str, values: Mapping[str, Any]
) -> list[tuple[Any, ...]]:
    """Returns the rows of a query that is written for each database. Values and rows have the driver's own types; a
    list is an array of PostgreSQL, and JSON text for SQLite (json_each).

    SQLAlchemy's own statements have a parameter for each value of a list, which takes longer than the query.
    """
    if connection.dialect.name == "postgresql":
        rows = connection.exec_driver_sql(on_postgresql, dict(values))
    else:
        given = {name: json.dumps(value) if isinstance(value, list) else value for name, value in values.items()}
        rows = connection.exec_driver_sql(on_sqlite, given)
    return [tuple(row) for row in rows]


def rows_among(
    connection: Connection, query: Select[*Ts], column: ColumnElement[Any], values: Iterable[Any]
) -> Iterator[Row[*Ts]]:
    """Yields the rows of the query that have one of the values in the column, in the order of the query within `CHUNK`
    values. Nothing is asked for no values."""
    for chunk in chunks(sorted(set(values))):
        yield from connection.execute(query.where(column.in_(chunk)))


def change_among(
    connection: Connection, statement: Update | Delete, column: ColumnElement[Any], values: Iterable[Any]
) -> None:
    """Updates or deletes the rows that have one of the values in the column."""
    for chunk in chunks(sorted(set(values))):
        connection.execute(statement.where(column.in_(chunk)))


def insert(connection: Connection, table: Table) -> AnyInsert:
    """Returns an INSERT with support for ON CONFLICT, in the connection's dialect."""
    return _insert_into(connection.dialect.name, table)


def _insert_into(database: str, table: Table) -> AnyInsert:
    """Returns the INSERT of a dialect. Only that of the database is loaded: PostgreSQL's takes as long as rich."""
    if database == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


def insert_all(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Inserts rows of which none is stored."""
    if rows:
        _execute(connection, _insert_of_rows(connection.dialect.name, table, tuple(rows[0])), rows)


def insert_new(connection: Connection, table: Table, key: str, rows: Sequence[Values]) -> dict[str, int]:
    """Inserts rows of which none is stored, in their order. Returns their ids by key."""
    if not rows:
        return {}
    new = _insert_of_rows(connection.dialect.name, table, tuple(rows[0]))
    found: Sequence[Any] = _execute(connection, new, rows, (table.c[key], table.c.id))
    return dict(map(tuple, found))


def upsert(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    rows: Sequence[Values],
    changes: Mapping[str, Any] | None = None,
    returning: Sequence[Column[Any]] = (),
) -> Sequence[Row[Any]]:
    """Inserts rows; for a row whose `key` is stored already, updates the other columns, or `changes` if given.

    A value in `changes` may be a `Rule`. No two rows may have the same key. Returns the columns `returning` of every
    row, in no particular order.
    """
    if not rows:
        return []
    columns = changes if changes is not None else dict.fromkeys((name for name in rows[0] if name not in key), incoming)
    to = connection.dialect.name, table, tuple(rows[0])
    if not all(map(callable, columns.values())):
        statement = _updating(_insert_of_rows(*to), key, columns)
    else:  # it has functions and no values; most functions are those of a module
        statement = _kept_upsert(*to, tuple(key), tuple(columns.items()))
    return _execute(connection, statement, rows, returning)


def _execute(
    connection: Connection, statement: AnyInsert, rows: Sequence[Values], returning: Sequence[Column[Any]] = ()
) -> Sequence[Row[Any]]:
    """Runs a statement of `_insert_of_rows`. Returns the columns `returning` of every row."""
    complete: Any = statement.returning(*returning) if returning else statement.inline()
    if connection.dialect.name == "sqlite":
        written = connection.execute(complete, list(rows))
        return written.all() if returning else []
    found: list[Row[Any]] = []
    for document in _documents(connection.dialect, complete.table, rows):
        written = connection.execute(complete, {"rows": document})
        found += written.all() if returning else []
    return found


def _documents(dialect: Dialect, table: Table, rows: Sequence[Values]) -> Iterator[str]:
    """Yields the rows as JSON lists. A list over 1 GB, which PostgreSQL does not take, would need 100 texts of the
    greatest length in a batch: such a batch is refused, and stored in halves."""
    writers = {name: _writer(dialect, table.c[name]) for name in rows[0]}
    for chunk in chunks(rows):
        yield _JSON.encode(
            [{name: writer(row[name]) if writer else row[name] for name, writer in writers.items()} for row in chunk]
        )


_JSON: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=lambda time: time.isoformat())


def _writer(dialect: Dialect, of: Column[Any]) -> Callable[[Any], Any] | None:
    """Returns the function that makes a value of JSON of a value of the column; None if it is one already."""
    if isinstance(of.type, TypeDecorator):
        return partial(of.type.process_bind_param, dialect=dialect)
    if isinstance(of.type, LargeBinary):
        return lambda value: None if value is None else f"\\x{value.hex()}"
    return None


@lru_cache(maxsize=64)
def _insert_of_rows(database: str, table: Table, names: tuple[str, ...]) -> AnyInsert:
    """Returns an INSERT of rows with these columns. SQLite gets a row at a time. PostgreSQL gets the rows as one JSON
    text: psycopg's executemany sends a message and reads an answer for each row, and for an INSERT with RETURNING it
    parses a text with a parameter for each value (docs/explanation/design-storage.md).

    Cached, as the whole upsert is, because building a statement takes longer than running it with a small batch.
    """
    if database == "sqlite":
        return _insert_into(database, table)
    given = func.json_to_recordset(cast(bindparam("rows", type_=Text), JSON))
    rows = given.table_valued(*(column(name, table.c[name].type) for name in names)).render_derived(with_types=True)
    return _insert_into(database, table).from_select(list(names), select(*rows.c))


@lru_cache(maxsize=64)
def _kept_upsert(
    database: str, table: Table, names: tuple[str, ...], key: tuple[str, ...], changes: tuple[tuple[str, Rule], ...]
) -> AnyInsert:
    return _updating(_insert_of_rows(database, table, names), key, dict(changes))


def _updating(statement: AnyInsert, key: Sequence[str], changes: Mapping[str, Any]) -> AnyInsert:
    table: Any = statement.table
    assignments: dict[str, ColumnElement[Any]] = {
        name: value(table.c[name], statement.excluded[name]) if callable(value) else value
        for name, value in changes.items()
    }
    return statement.on_conflict_do_update(index_elements=list(key), set_=assignments)


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
    """Returns the rule of a time that takes the later one, the incoming one where none is stored. max() of two values
    ignores no NULL in SQLite, and PostgreSQL has another name for it."""
    return case((old.is_(None) | (new > old), new), else_=old)


def distinct_of(column: Column[str]) -> CTE:
    """Returns a table of the column's distinct values, and NULL, in its column `value`, with one search in an index for
    each: SQLite and PostgreSQL read all rows for DISTINCT. The column must be the first of an index."""
    found = select(func.min(column).label("value")).cte(f"distinct_{column.table.name}", recursive=True)
    following = select(func.min(column)).where(column > found.c.value).correlate(found).scalar_subquery()
    return found.union_all(select(following).where(found.c.value.is_not(None)))


def distinct(connection: Connection, column: Column[str]) -> list[Any]:
    """Returns the distinct values of a column that is the first of an index, in order."""
    found = distinct_of(column)
    return list(connection.execute(select(found.c.value).where(found.c.value.is_not(None))).scalars())


class RowMapping(Generic[T]):
    """The columns of a dataclass, so that each is named once: a field is a column of the same name, and a tuple or
    another sequence is a JSON list, NULL where it is empty.

    A field that holds another dataclass is one of `groups`, with that class and the columns of its fields, of which the
    first is not NULL unless all are. Fields `read_only` (with their columns) are read and never written, because a join
    or the database gives them.
    """

    def __init__(
        self,
        cls: type[T],
        groups: Mapping[str, tuple[type[Any], Mapping[str, str]]] | None = None,
        read_only: Mapping[str, str] | None = None,
    ) -> None:
        self._cls = cls
        self._groups = groups or {}
        own = {field.name: str(field.type) for field in fields(cls) if field.name not in self._groups}  # type: ignore[arg-type]
        self._lists = [name for name, kind in own.items() if kind.startswith(("tuple[", "Sequence["))]
        self._read = {name: (read_only or {}).get(name, name) for name in own}
        self._written = [name for name in own if name not in (read_only or {})]
        grouped = (column for _, columns in self._groups.values() for column in columns.values())
        self.columns: Final = (*self._written, *grouped)
        """The names of the columns that `values` fills."""

    def values(self, value: T) -> Values:
        """Returns the value as a row."""
        row = {name: getattr(value, name) for name in self._written}
        row |= {name: json_list(row[name]) for name in self._lists}
        for outer, (_, columns) in self._groups.items():
            inner = getattr(value, outer)
            row |= {column: None if inner is None else getattr(inner, name) for name, column in columns.items()}
        return row

    def read(self, row: Row[Any]) -> T:
        """Returns the value of a row, which must have all columns, those of `read_only` too. Lists are read as
        tuples."""
        stored = row._asdict()
        given = {name: stored[column] for name, column in self._read.items()}
        given |= {name: tuple(given[name] or ()) for name in self._lists}
        for outer, (inner, columns) in self._groups.items():
            parts = {name: stored[column] for name, column in columns.items()}
            given[outer] = inner(**parts) if next(iter(parts.values())) is not None else None
        return self._cls(**given)


def json_list(items: Sequence[Any]) -> list[Any] | None:
    """Returns the items in types that JSON knows. An empty list is NULL, so that a reading without items never replaces
    stored items."""
    return [
        {field.name: getattr(item, field.name) for field in fields(item)} if is_dataclass(item) else item
        for item in items
    ] or None
