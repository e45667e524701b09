"""What happened to an article, in each row of the change feed; and the filters of consumers.

The former operations `version` and `merge` become `upsert` with a reason. What the other stored rows were about is not
known, so their reason stays empty.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("changes", sa.Column("story_id", sa.BigInteger()))
    op.add_column("changes", sa.Column("into_story_id", sa.BigInteger()))
    op.add_column("changes", sa.Column("change_class", sa.String(length=16)))
    op.add_column("changes", sa.Column("replaces", sa.JSON()))
    op.add_column("changes", sa.Column("replaced_by", sa.JSON()))
    op.create_index("ix_changes_article_id", "changes", ["article_id"])
    op.add_column("cursors", sa.Column("filters", sa.Text()))
    op.create_table(
        "given_articles",
        sa.Column("consumer", sa.String(length=200), nullable=False),
        sa.Column("article_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("consumer", "article_id", name=op.f("pk_given_articles")),
    )
    changes = sa.table("changes", *(sa.column(name, sa.String()) for name in ("op", "reason")))
    for former, reason in (("version", "corrected"), ("merge", "joined")):
        values = {"op": "upsert", "reason": sa.func.coalesce(changes.c.reason, reason)}
        op.execute(sa.update(changes).where(changes.c.op == former).values(values))
