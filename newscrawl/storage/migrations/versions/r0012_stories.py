"""Stories as stars around a representative, links between texts, which page of a story is shown first, and texts whose
stories are to be decided again.

The clusters of earlier releases stay until upkeep has decided every text with a signature again.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    _places()
    _members()
    _touched()
    _links()
    _fronts()
    op.add_column("changes", sa.Column("reason", sa.String(length=16)))


def _places() -> None:
    op.add_column("signatures", sa.Column("first_seen", _moment))
    op.add_column("signatures", sa.Column("content_hash", sa.String(length=64)))
    for name in ("first_seen", "content_hash"):
        op.execute(
            f"UPDATE signatures SET {name} ="  # noqa: S608  names of our own
            f" (SELECT articles.{name} FROM articles WHERE articles.id = signatures.article_id)"
        )


def _members() -> None:
    """The representative is the article whose number the cluster has, until it is decided."""
    with op.batch_alter_table("cluster_members") as table:
        table.add_column(sa.Column("representative_id", sa.BigInteger()))
        table.add_column(sa.Column("first_seen", _moment))
        table.add_column(sa.Column("content_hash", sa.String(length=64)))
    op.execute("UPDATE cluster_members SET representative_id = cluster_id")
    for name in ("first_seen", "content_hash"):
        op.execute(
            f"UPDATE cluster_members SET {name} ="  # noqa: S608  names of our own
            f" (SELECT articles.{name} FROM articles WHERE articles.id = cluster_members.article_id)"
        )
    with op.batch_alter_table("cluster_members") as table:
        table.drop_column("nearest_id")
        table.alter_column("representative_id", existing_type=sa.BigInteger(), nullable=False)
        table.alter_column("first_seen", existing_type=_moment, nullable=False)
        table.alter_column("content_hash", existing_type=sa.String(length=64), nullable=False)
    columns = ["representative_id", "first_seen", "content_hash"]
    op.create_index("ix_cluster_members_star", "cluster_members", columns)


def _touched() -> None:
    op.create_table(
        "touched_texts",
        sa.Column("article_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("first_seen", _moment, nullable=False),
        sa.PrimaryKeyConstraint("article_id", name=op.f("pk_touched_texts")),
    )
    op.create_index(op.f("ix_touched_texts_first_seen"), "touched_texts", ["first_seen"])
    op.execute(
        "INSERT INTO touched_texts (article_id, first_seen)"
        " SELECT article_id, first_seen FROM signatures WHERE shingles > 0"
    )


def _links() -> None:
    op.create_table(
        "refused_ties",
        sa.Column("article_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("representative_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("article_id", "representative_id", name=op.f("pk_refused_ties")),
    )
    op.create_index(op.f("ix_refused_ties_representative_id"), "refused_ties", ["representative_id"])
    op.create_table(
        "text_links",
        sa.Column("article_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("container_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("found_by", sa.BigInteger(), nullable=False),
        sa.Column("containment", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("article_id", "container_id", name=op.f("pk_text_links")),
    )
    for name in ("container_id", "found_by"):
        op.create_index(op.f(f"ix_text_links_{name}"), "text_links", [name])
    op.create_table(
        "text_link_counts",
        sa.Column("article_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("more", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("article_id", name=op.f("pk_text_link_counts")),
    )


def _fronts() -> None:
    op.add_column("pages", sa.Column("claimed_key", sa.String(length=4096)))
    op.create_table(
        "declarations",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("republishes", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("site", name=op.f("pk_declarations")),
    )
    op.create_table(
        "story_fronts",
        sa.Column("cluster_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("article_id", sa.BigInteger(), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=False),
        sa.Column("rule", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("cluster_id", name=op.f("pk_story_fronts")),
    )
    op.create_table(
        "touched_fronts",
        sa.Column("article_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("article_id", name=op.f("pk_touched_fronts")),
    )
