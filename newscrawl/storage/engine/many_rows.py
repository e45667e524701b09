"""Inserts many rows with one statement whose values are converted a column at a time.

SQLAlchemy converts the values of each row by itself, which takes longer than the database takes to store them. Here the
statement is built once, and each column is converted in one pass. On SQLite the rows are then the parameters of one
`executemany` of the driver. On PostgreSQL they are one JSON document, because the driver writes arrays, and the
parameters of many rows, in Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Final

from sqlalchemy import JSON, Connection, CursorResult, Dialect, Insert, Table, bindparam, column, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.exc import StatementError
from sqlalchemy.types import TypeDecorator, TypeEngine

from newscrawl.storage.engine.row_mapping import Values

AnyInsert = postgresql.Insert | sqlite.Insert
Finish = Callable[[AnyInsert], Insert]
"""Adds to a statement what follows its values, such as ON CONFLICT or RETURNING."""
Conversion = Callable[[Any], Any] | None
_ROWS: Final = "rows_as_json"
"""The parameter with the rows on PostgreSQL."""


@dataclass(frozen=True, slots=True)
class ManyRows:
    """A statement in the driver's own form. `parameters` has the columns of the rows with the conversion of their
    values, on SQLite in the order of the statement, among its constants."""

    sql: str
    parameters: Sequence[tuple[str, Conversion]]
    constants: Mapping[str, Any]

    def execute(self, connection: Connection, rows: Sequence[Values]) -> CursorResult[Any]:
        """Writes the rows, which all have the columns of the statement. Raises StatementError for a value that cannot
        be converted."""
        try:
            columns = {name: self._converted(name, convert, rows) for name, convert in self.parameters}
            by_row = zip(*columns.values(), strict=True)
            if connection.dialect.name == "postgresql":
                given: Any = {_ROWS: _document(list(columns), by_row), **self.constants}
            else:
                given = list(by_row)
        except Exception as error:  # as SQLAlchemy reports it, without the values
            raise StatementError(str(error), self.sql, None, error, hide_parameters=True) from error
        return connection.exec_driver_sql(self.sql, given)

    def _converted(self, name: str, convert: Conversion, rows: Sequence[Values]) -> list[Any]:
        if name in self.constants:
            return [self.constants[name]] * len(rows)
        values = [row[name] for row in rows]
        return values if convert is None else [None if value is None else convert(value) for value in values]


def prepared(database: str, table: Table, names: Sequence[str], finish: Finish) -> ManyRows:
    """Returns the statement that inserts rows with these columns, for `sqlite` or `postgresql`."""
    return (_of_document if database == "postgresql" else _of_rows)(table, names, finish)


def _of_document(table: Table, names: Sequence[str], finish: Finish) -> ManyRows:
    dialect: Dialect = psycopg.dialect()  # type: ignore[no-untyped-call]
    document = func.json_to_recordset(bindparam(_ROWS, type_=JSON()))
    columns = [column(name, table.c[name].type) for name in names]
    given = document.table_valued(*columns, name="given").render_derived(with_types=True)
    statement = postgresql.insert(table).from_select(list(names), select(*(given.c[name] for name in names)))
    compiled = finish(statement).compile(dialect=dialect)
    parameters = [(name, _plain_conversion(dialect, table.c[name].type)) for name in names]
    return ManyRows(str(compiled), parameters, _constants(compiled.params, {*names, _ROWS}))


def _of_rows(table: Table, names: Sequence[str], finish: Finish) -> ManyRows:
    dialect = sqlite.dialect()
    compiled: Any = finish(sqlite.insert(table)).compile(dialect=dialect, column_keys=list(names))
    conversions = {name: table.c[name].type.dialect_impl(dialect).bind_processor(dialect) for name in names}
    parameters = [(name, conversions.get(name)) for name in compiled.positiontup]
    return ManyRows(str(compiled), parameters, _constants(compiled.params, names))


def _constants(params: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Returns the values that the statement itself has, such as those of a condition: texts and numbers."""
    return {name: params[name] for name in params.keys() - set(names)}


def _plain_conversion(dialect: Dialect, kind: TypeEngine[Any]) -> Conversion:
    """Returns what checks and cleans a value of the type, for a JSON document."""
    return partial(kind.process_bind_param, dialect=dialect) if isinstance(kind, TypeDecorator) else None


def _document(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Returns the rows as JSON; columns without a value are left out, which makes them NULL."""
    objects = [{name: value for name, value in zip(names, row, strict=True) if value is not None} for row in rows]
    return json.dumps(objects, ensure_ascii=False, allow_nan=False, default=_in_json)


def _in_json(value: object) -> str:
    """Returns a date, a time or bytes as PostgreSQL reads them."""
    if isinstance(value, date):  # or a time
        return value.isoformat()
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    raise TypeError(f"a value of type {type(value).__name__} cannot be stored")
