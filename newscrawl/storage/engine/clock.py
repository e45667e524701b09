"""The time by which processes on several machines agree: that of the database server."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, func, select


def time_of(connection: Connection, now: datetime | None = None) -> datetime:
    """Returns `now`, or the present time by the database's clock if it is None.

    A PostgreSQL server gives its own time, which does not depend on how long the transaction has waited. A SQLite file
    is used on one machine only, whose clock it is.
    """
    if now is not None:
        return now
    if connection.dialect.name != "postgresql":
        return datetime.now(UTC)
    stated: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return stated.astimezone(UTC)
