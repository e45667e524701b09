"""The table of the epochs of the boilerplate of sites."""

from __future__ import annotations

from sqlalchemy import Column, Integer, LargeBinary, Table

from newscrawl.storage.engine.types import Code, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, metadata

boilerplate_epochs = Table(
    "boilerplate_epochs",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("stories", Integer, nullable=False),
    Column("lines", LargeBinary, nullable=False),
    Column("learned_at", UtcDateTime, nullable=False),
)
"""The epochs of each site (newscrawl.site_boilerplate.epoch). The one with the greatest number is current; rows are
inserted and deleted, never updated."""
