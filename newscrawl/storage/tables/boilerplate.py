"""The table of the machines that have extracted their archives with the boilerplate of a site."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table

from newscrawl.storage.engine.types import Code, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, metadata

boilerplate_reextractions = Table(
    "boilerplate_reextractions",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("machine", Code(NAME_LIMIT), primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("done_at", UtcDateTime, nullable=False),
)
"""The last epoch with which a machine has extracted its archived pages of a site again."""
