"""The table of the secret addresses under which feeds are read without a log-in.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"

_moment = sa.DateTime(timezone=True)
_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "feed_addresses",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("scope", sa.String(length=16), nullable=False),
        sa.Column("value", sa.String(length=200)),
        sa.Column("made_at", _moment, nullable=False),
        sa.Column("made_by", sa.String(length=200), nullable=False),
        sa.Column("revoked_at", _moment),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feed_addresses")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_feed_addresses_secret_hash")),
        sqlite_autoincrement=True,
    )
