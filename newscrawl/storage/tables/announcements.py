"""The table of visits that were brought forward because a source announced an edit."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Table

from newscrawl.storage.engine.types import Code, UtcDateTime
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.columns import metadata
from newscrawl.storage.tables.frontier import sources

announcements = Table(
    "announcements",
    metadata,
    Column("page_id", ForeignKey(pages.c.id, ondelete="CASCADE"), primary_key=True),
    Column("source_id", ForeignKey(sources.c.id, ondelete="CASCADE"), primary_key=True, index=True),
    Column("signal", Code(16), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("due", UtcDateTime, nullable=False),
    Column("found_edit", Boolean),
)
"""`signal` is how the source announced the edit (edit_signals.Signal), `at` the time of the reading, `due` that of the
visit. `found_edit` is NULL until the visit has ended. The row is deleted at the next reading of the source, when the
result has been added to the source's trust (newscrawl.storage.frontier.announcements)."""
