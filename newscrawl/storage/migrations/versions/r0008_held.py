"""Pages that are held back because their site's extraction looks broken, and what tells that it does.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "held",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("url_key", sa.String(length=4096), nullable=False),
        sa.Column("final_key", sa.String(length=4096), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("reasons", sa.JSON(none_as_null=True)),
        sa.Column("failure", sa.Text()),
        sa.Column("extractor", sa.Text()),
        sa.Column("title", sa.Text()),
        sa.Column("content_hash", sa.String(length=64)),
        sa.Column("identity_key", sa.String(length=64)),
        sa.Column("text", sa.Text()),
        sa.Column("article", sa.JSON(none_as_null=True)),
        sa.Column("use", sa.JSON(none_as_null=True)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_held")),
        sa.UniqueConstraint("url_key", name=op.f("uq_held_url_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_held_site_at"), "held", ["site", "at"])
    op.create_index(op.f("ix_held_final_key"), "held", ["final_key"])
    op.add_column("observations", sa.Column("page", sa.String(length=16)))
    op.add_column("observations", sa.Column("text", sa.String(length=16)))
    op.add_column("observations", sa.Column("doubted", sa.Boolean(), server_default=sa.false(), nullable=False))
