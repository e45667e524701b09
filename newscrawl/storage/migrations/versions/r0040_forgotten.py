"""The register of what was forgotten: when, how much, by whom and why. It begins with this revision.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"

_moment = sa.DateTime(timezone=True)
_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "forgotten",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("at", _moment, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("site", sa.Text()),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("on_blocklist", sa.Boolean(), nullable=False),
        sa.Column("who", sa.Text()),
        sa.Column("reason", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_forgotten")),
        sqlite_autoincrement=True,
    )
