"""Rows of the table `hosts` as a test wants them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, select

from newscrawl.storage.engine.sql import upsert
from newscrawl.storage.tables.frontier import hosts


def put_host(connection: Connection, key: str, next_at: datetime | None = None, **columns: Any) -> None:
    """Stores the host: the next request may be sent at `next_at`. Other columns of a stored row stay."""
    given = {"next_at": next_at.timestamp() if next_at is not None else None, **columns}
    upsert(connection, hosts, ["key"], [{"key": key, "failures": 0, "requests_today": 0, **given}], given)


def host_row(connection: Connection, key: str) -> Any:
    """Returns the row of a host; None without one."""
    return connection.execute(select(hosts).where(hosts.c.key == key)).one_or_none()


def is_wanted(connection: Connection, key: str) -> bool:
    """Returns whether a process has asked in vain for the host."""
    row = host_row(connection, key)
    return row is not None and row.wanted_until is not None and row.wanted_until > datetime.now(UTC).timestamp()
