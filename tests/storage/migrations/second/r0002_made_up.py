"""A made-up second revision: a new column with a value, a table that is rebuilt, one filled from rows, another view."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "zebra"
down_revision = "gale"


def upgrade() -> None:
    op.add_column("articles", sa.Column("characters", sa.Integer()))
    op.execute("UPDATE articles SET characters = length(text)")
    with op.batch_alter_table("blocklist") as table:  # on SQLite a new table takes the place of the old one
        table.add_column(sa.Column("by", sa.Text(), nullable=False, server_default="nobody"))
    op.create_table("made_up", sa.Column("url", sa.Text(), primary_key=True))
    op.execute("INSERT INTO made_up (url) SELECT url FROM pages")
    op.execute("DROP VIEW site_failures")
    op.execute("CREATE VIEW site_failures AS SELECT site, hour AS day, kind FROM site_hours WHERE kind LIKE '%/%'")
