"""Patterns of addresses that brought no new article.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "patterns",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("fruitless", sa.Integer(), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("given_up_at", sa.DateTime(timezone=True)),
        sa.Column("tried", sa.Date()),
        sa.PrimaryKeyConstraint("site", "pattern", name=op.f("pk_patterns")),
    )
