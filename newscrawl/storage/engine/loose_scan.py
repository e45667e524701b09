"""The distinct values of a column, with one search in an index for each: SQLite and PostgreSQL read all rows for
DISTINCT."""

from __future__ import annotations

from typing import Any

from sqlalchemy import CTE, Column, Connection, func, select


def distinct_of(column: Column[str]) -> CTE:
    """Returns a table of the column's distinct values, and NULL, in its column `value`. The column must be the first of
    an index."""
    found = select(func.min(column).label("value")).cte(f"distinct_{column.table.name}", recursive=True)
    following = select(func.min(column)).where(column > found.c.value).correlate(found).scalar_subquery()
    return found.union_all(select(following).where(found.c.value.is_not(None)))


def distinct(connection: Connection, column: Column[str]) -> list[Any]:
    """Returns the distinct values of a column that is the first of an index, in order."""
    found = distinct_of(column)
    return list(connection.execute(select(found.c.value).where(found.c.value.is_not(None))).scalars())
