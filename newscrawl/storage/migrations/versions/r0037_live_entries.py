"""The entries of live reports: all of a version, and the new ones that a version and a change name, as JSON.

They are only read with their version or change, and nothing joins or filters by them. A revision never changes once
released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.add_column("versions", sa.Column("live_entries", sa.JSON()))
    for table in ("versions", "changes"):
        op.add_column(table, sa.Column("new_entries", sa.JSON()))
