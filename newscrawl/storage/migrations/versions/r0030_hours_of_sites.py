"""An index of the hours by site, with what the diagrams of `newscrawl web` show: it needs no row of the table.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0027"


def upgrade() -> None:
    op.create_index("ix_site_hours_of_site", "site_hours", ["site", "hour", "found", "stored", "newest_article"])
