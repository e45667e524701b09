"""Edits that sources announce: what each source said last of an entry, how far it is trusted, visits brought forward.

What sources said last before is not known: their next reading notes it. Until then only a time of change that lies
after the last fetch announces an edit.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("sources", sa.Column("trust", sa.JSON(none_as_null=True)))
    op.add_column("sightings", sa.Column("latest_title", sa.Text()))
    op.add_column("sightings", sa.Column("latest_date", sa.DateTime(timezone=True)))
    op.add_column("sightings", sa.Column("listed", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("sightings", sa.Column("announced", sa.DateTime(timezone=True)))
    op.add_column("sightings", sa.Column("signal", sa.String(length=16)))
    listed = sa.text("listed")
    op.create_index("ix_sightings_listed", "sightings", ["source_id"], sqlite_where=listed, postgresql_where=listed)
    op.create_table(
        "announcements",
        sa.Column("page_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("source_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("signal", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("found_edit", sa.Boolean()),
        sa.ForeignKeyConstraint(["page_id"], ["pages.id"], name=op.f("fk_announcements_page_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["source_id"], ["sources.id"], name=op.f("fk_announcements_source_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("page_id", "source_id", name=op.f("pk_announcements")),
    )
    op.create_index(op.f("ix_announcements_source_id"), "announcements", ["source_id"])
