"""The raw archive's files, and where in them each fetched page is.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "archive_files",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created", _moment, nullable=False),
        sa.Column("deleted", _moment),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_archive_files")),
        sa.UniqueConstraint("name", name=op.f("uq_archive_files_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "captures",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("url_key", sa.String(length=4096), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("asked", sa.Text()),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("fetched_at", _moment, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64)),
        sa.Column("file_id", _id, nullable=False),
        sa.Column("offset", sa.BigInteger(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("body_file_id", sa.BigInteger()),
        sa.Column("body_offset", sa.BigInteger()),
        sa.Column("body_length", sa.Integer()),
        sa.Column("article_id", sa.BigInteger()),
        sa.Column("failure", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_captures")),
        sa.ForeignKeyConstraint(["file_id"], ["archive_files.id"], name=op.f("fk_captures_file_id_archive_files")),
        sa.UniqueConstraint("file_id", "offset", name=op.f("uq_captures_file_id_offset")),
    )
    for columns in (["url_key"], ["digest"], ["body_file_id", "body_offset"], ["site", "fetched_at"]):
        op.create_index(op.f(f"ix_captures_{'_'.join(columns)}"), "captures", columns)
