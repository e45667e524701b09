"""The machine that holds each archive file, and what other machines are asked to remove from their files.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

_moment = sa.DateTime(timezone=True)
_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("archive_files", sa.Column("machine", sa.String(length=200)))
    op.create_table(
        "archive_removals",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("request", sa.String(length=32), nullable=False),
        sa.Column("file_id", sa.BigInteger(), nullable=False),
        sa.Column("machine", sa.String(length=200)),
        sa.Column("site", sa.Text()),
        sa.Column("asked_at", _moment, nullable=False),
        sa.Column("done_at", _moment),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_archive_removals")),
        sa.UniqueConstraint("request", "file_id", name=op.f("uq_archive_removals_request_file_id")),
    )
    op.create_index(op.f("ix_archive_removals_file_id"), "archive_removals", ["file_id"])
    op.create_index(op.f("ix_archive_removals_done_at"), "archive_removals", ["done_at"])
    op.create_table(
        "archive_removal_keys",
        sa.Column("request", sa.String(length=32), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("request", "key_hash", name=op.f("pk_archive_removal_keys")),
    )
    op.create_index(op.f("ix_archive_removal_keys_key_hash"), "archive_removal_keys", ["key_hash"])
