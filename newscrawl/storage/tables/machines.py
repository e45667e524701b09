"""The tables of machines and of the processes that use the database."""

from __future__ import annotations

from sqlalchemy import Column, Table

from newscrawl.storage.engine.types import CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, metadata

machines = Table(
    "machines",
    metadata,
    Column("name", Code(NAME_LIMIT), primary_key=True),
    Column("since", UtcDateTime, nullable=False),
    Column("last_seen", UtcDateTime, nullable=False),
    Column("removed_at", UtcDateTime),
    Column("removed_by", CleanText(NAME_LIMIT)),
)
"""Every machine on which a process crawled with this database."""

processes = Table(
    "processes",
    metadata,
    Column("process", Code(NAME_LIMIT), primary_key=True),
    Column("machine", Code(NAME_LIMIT), nullable=False),
    Column("role", Code(NAME_LIMIT), nullable=False),
    Column("version", Code(40), nullable=False),
    Column("revision", Code(40), nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("last_seen", UtcDateTime, nullable=False),
)
"""The processes that crawl. A process deletes its row when it ends; the row of a killed one stays."""
