"""Numbers of each site by hour, and its failures by reason.

Both tables start empty: earlier hours cannot be known, because visits that changed nothing left no row.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_moment = sa.DateTime(timezone=True)
_NUMBERS = (
    *("found", "fetched", "not_modified", "stored", "duplicates", "new_versions", "in_review"),
    *("failed", "gone", "refused", "no_article"),
)


def upgrade() -> None:
    op.create_table(
        "site_hours",
        sa.Column("hour", _moment, nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _NUMBERS),
        sa.Column("newest_article", _moment),
        sa.PrimaryKeyConstraint("hour", "site", name=op.f("pk_site_hours")),
    )
    op.create_table(
        "site_hour_failures",
        sa.Column("hour", _moment, nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("hour", "site", "kind", name=op.f("pk_site_hour_failures")),
    )
