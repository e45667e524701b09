"""Statements in the syntax of the driver, whose lists are one parameter each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection


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
