"""The change feed and its readers, earlier headlines, and what may not come back.

Every article that some page shows is told to the feed once, so that a reader from the start meets all of them.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "changes",
        sa.Column("seq", _id, autoincrement=True, nullable=False),
        sa.Column("article_id", sa.BigInteger(), nullable=False),
        sa.Column("op", sa.String(length=16), nullable=False),
        sa.Column("at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_changes")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "cursors",
        sa.Column("consumer", sa.String(length=200), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("index_id", sa.String(length=200)),
        sa.Column("updated", _moment, nullable=False),
        sa.PrimaryKeyConstraint("consumer", name=op.f("pk_cursors")),
    )
    op.create_table(
        "blocked",
        sa.Column("key", sa.String(length=4_104), nullable=False),
        sa.Column("at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_blocked")),
    )
    _headlines()
    op.execute(
        "INSERT INTO changes (article_id, op, at) SELECT id, 'upsert', first_seen FROM articles WHERE id IN "
        "(SELECT article_id FROM pages WHERE article_id IS NOT NULL AND state <> 'gone') ORDER BY id"
    )


def _headlines() -> None:
    op.create_table(
        "headlines",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("page_id", _id, nullable=False),
        sa.Column("article_id", _id, nullable=False),
        sa.Column("label_key", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("authors", sa.JSON(none_as_null=True)),
        sa.Column("seen_at", _moment, nullable=False),
        sa.Column("last_seen", _moment, nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=op.f("fk_headlines_article_id_articles")),
        sa.ForeignKeyConstraint(["page_id"], ["pages.id"], name=op.f("fk_headlines_page_id_pages")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_headlines")),
        sa.UniqueConstraint(
            "page_id", "article_id", "label_key", name=op.f("uq_headlines_page_id_article_id_label_key")
        ),
    )
    op.create_index(op.f("ix_headlines_article_id"), "headlines", ["article_id"])
    op.create_index(op.f("ix_headlines_page_id_seen_at"), "headlines", ["page_id", "seen_at"])
