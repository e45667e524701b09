"""Inserts many rows with one statement whose values are converted a column at a time.

SQLAlchemy converts the values of each row by itself, which takes longer than the database takes to store them. Here the
statement is built once, and each column is converted in one pass. On SQLite the rows are then the parameters of one
`executemany` of the driver. On PostgreSQL the columns are arrays of one `INSERT ... SELECT ... FROM unnest(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, CursorResult, Dialect, Insert, Table, bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import ARRAY, psycopg
from sqlalchemy.exc import StatementError
from sqlalchemy.types import TypeEngine

from newscrawl.storage.engine.row_mapping import Values

AnyInsert = postgresql.Insert | sqlite.Insert
Finish = Callable[[AnyInsert], Insert]
"""Adds to a statement what follows its values, such as ON CONFLICT or RETURNING."""


@dataclass(frozen=True, slots=True)
class ManyRows:
    """A statement in the driver's own form. `parameters` are its parameters in order: each is a column of the rows with
    the conversion of its values, or a constant of the statement."""

    sql: str
    parameters: Sequence[tuple[str, Callable[[Any], Any] | None]]
    constants: Mapping[str, Any]

    def execute(self, connection: Connection, rows: Sequence[Values]) -> CursorResult[Any]:
        """Writes the rows, which all have the columns of the statement."""
        columns = {name: self._converted(name, convert, rows) for name, convert in self.parameters}
        if connection.dialect.name == "postgresql":
            return connection.exec_driver_sql(self.sql, {**columns, **self.constants})
        return connection.exec_driver_sql(self.sql, list(zip(*columns.values(), strict=True)))

    def _converted(self, name: str, convert: Callable[[Any], Any] | None, rows: Sequence[Values]) -> list[Any]:
        if name in self.constants:
            return [self.constants[name]] * len(rows)
        values = [row[name] for row in rows]
        if convert is None:
            return values
        try:
            return [None if value is None else convert(value) for value in values]
        except Exception as error:  # as SQLAlchemy reports it, without the values
            raise StatementError(str(error), self.sql, None, error, hide_parameters=True) from error


def prepared(database: str, table: Table, names: Sequence[str], finish: Finish) -> ManyRows:
    """Returns the statement that inserts rows with these columns, for `sqlite` or `postgresql`."""
    return (_of_arrays if database == "postgresql" else _of_rows)(table, names, finish)


def _of_arrays(table: Table, names: Sequence[str], finish: Finish) -> ManyRows:
    dialect: Dialect = psycopg.dialect()  # type: ignore[no-untyped-call]
    arrays = [bindparam(name, type_=ARRAY(table.c[name].type)) for name in names]
    given = func.unnest(*arrays).table_valued(*names, name="given").render_derived()
    statement = postgresql.insert(table).from_select(list(names), select(*(given.c[name] for name in names)))
    compiled = finish(statement).compile(dialect=dialect)
    parameters = [(name, _conversion(dialect, table.c[name].type)) for name in names]
    return ManyRows(str(compiled), parameters, _constants(compiled.params, names))


def _of_rows(table: Table, names: Sequence[str], finish: Finish) -> ManyRows:
    dialect = sqlite.dialect()
    compiled: Any = finish(sqlite.insert(table)).compile(dialect=dialect, column_keys=list(names))
    conversions = {name: _conversion(dialect, table.c[name].type) for name in names}
    parameters = [(name, conversions.get(name)) for name in compiled.positiontup]
    return ManyRows(str(compiled), parameters, _constants(compiled.params, names))


def _constants(params: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Returns the values that the statement itself has, such as those of a condition: texts and numbers."""
    return {name: params[name] for name in params.keys() - set(names)}


def _conversion(dialect: Dialect, kind: TypeEngine[Any]) -> Callable[[Any], Any] | None:
    """Returns what turns a value of the type into the driver's; None if it is the same."""
    return kind.dialect_impl(dialect).bind_processor(dialect)
