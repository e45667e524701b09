"""What sites declare, for pages and reports on machines that have no declarations.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.create_table(
        "site_profiles",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("home", sa.String(length=4096), nullable=False),
        sa.Column("language", sa.String(length=40)),
        sa.Column("country", sa.String(length=40)),
        sa.Column("patterns", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("noted", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("site", name=op.f("pk_site_profiles")),
    )
