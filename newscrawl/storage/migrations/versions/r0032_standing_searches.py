"""The tables of standing searches.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"

_moment = sa.DateTime(timezone=True)
_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "standing_searches",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("feed_id", sa.String(length=36), nullable=False),
        sa.Column("from_seq", sa.BigInteger(), nullable=False),
        sa.Column("saved_at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_standing_searches")),
    )
    op.create_table(
        "search_hits",
        sa.Column("search", sa.String(length=200), nullable=False),
        sa.Column("story_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("article_id", sa.BigInteger(), nullable=False),
        sa.Column("entry_id", sa.String(length=36), nullable=False),
        sa.Column("found_at", _moment, nullable=False),
        sa.Column("updated_at", _moment, nullable=False),
        sa.Column("withdrawn", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("search", "story_id", name=op.f("pk_search_hits")),
    )
    op.create_index(op.f("ix_search_hits_article_id"), "search_hits", ["article_id"])
    op.create_index(op.f("ix_search_hits_story_id"), "search_hits", ["story_id"])
    op.create_index(op.f("ix_search_hits_search_updated_at"), "search_hits", ["search", "updated_at"])
    op.create_table(
        "search_events",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("search", sa.String(length=200), nullable=False),
        sa.Column("event", sa.String(length=16), nullable=False),
        sa.Column("story_id", sa.BigInteger(), nullable=False),
        sa.Column("article_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(length=32)),
        sa.Column("at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_events")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_search_events_search_id"), "search_events", ["search", "id"])
    op.create_table(
        "search_sinks",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("search", sa.String(length=200), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("digest_hours", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sent_upto", sa.BigInteger(), nullable=False),
        sa.Column("next_at", _moment, nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("problem", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_sinks")),
        sa.UniqueConstraint("search", "place", name=op.f("uq_search_sinks_search_place")),
    )
    op.create_index(op.f("ix_search_sinks_next_at"), "search_sinks", ["next_at"])
