"""The tables of the boilerplate of sites: its epochs, and which machines have extracted their archives with them."""

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

boilerplate_reextractions = Table(
    "boilerplate_reextractions",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("machine", Code(NAME_LIMIT), primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("done_at", UtcDateTime, nullable=False),
)
"""The last epoch with which a machine has extracted its archived pages of a site again."""
