"""What operators decided about a site over its declaration: a pause, a priority, a daily budget.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "site_controls",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("paused", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("paused_until", _moment),
        sa.Column("priority", sa.Float()),
        sa.Column("daily_requests", sa.String(length=20)),
        sa.Column("changed", _moment, nullable=False),
        sa.PrimaryKeyConstraint("site", name=op.f("pk_site_controls")),
    )
