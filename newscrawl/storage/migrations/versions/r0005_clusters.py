"""Near-duplicates: signatures, their bands, and the clusters.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "signatures",
        sa.Column("article_id", _id, autoincrement=False, nullable=False),
        sa.Column("algorithm", sa.String(length=32), nullable=False),
        sa.Column("shingles", sa.Integer(), nullable=False),
        sa.Column("sketch", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=op.f("fk_signatures_article_id")),
        sa.PrimaryKeyConstraint("article_id", name=op.f("pk_signatures")),
    )
    op.create_table(
        "signature_bands",
        sa.Column("value", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("article_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("value", "article_id", name=op.f("pk_signature_bands")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "cluster_members",
        sa.Column("article_id", _id, autoincrement=False, nullable=False),
        sa.Column("cluster_id", sa.BigInteger(), nullable=False),
        sa.Column("nearest_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("resemblance", sa.Float(), nullable=False),
        sa.Column("containment", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=op.f("fk_cluster_members_article_id")),
        sa.PrimaryKeyConstraint("article_id", name=op.f("pk_cluster_members")),
    )
    op.create_index(op.f("ix_cluster_members_cluster_id"), "cluster_members", ["cluster_id"], unique=False)
