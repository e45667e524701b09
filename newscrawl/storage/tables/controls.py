"""The table of what operators decided about sites with commands."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Table, false

from newscrawl.storage.engine.types import Code, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, metadata

site_controls = Table(
    "site_controls",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("paused", Boolean, nullable=False, server_default=false()),
    Column("paused_until", UtcDateTime),
    Column("priority", Float),
    Column("daily_requests", Code(20)),
    Column("changed", UtcDateTime, nullable=False),
)
"""One row for each site that a command changed; without a row, or with NULL, the declaration's value holds."""
