"""The table of the processes that use the database, and of their machines."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Table

from newscrawl.storage.engine.types import CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, metadata

MACHINE: Final = "machine"
"""The role of a row that stands for a machine."""

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
    Column("removed_at", UtcDateTime),
    Column("removed_by", CleanText(NAME_LIMIT)),
)
"""The processes that crawl, and every machine on which one crawled. A process deletes its row when it ends; the row of
a killed one stays. The row of a machine has its name as `process` and the role MACHINE; it stays as well."""
