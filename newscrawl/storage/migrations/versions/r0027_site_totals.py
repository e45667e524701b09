"""Numbers of what is stored of each site now, filled from the pages and the versions that they show.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

_SHOWN: Final = """
    SELECT p.site, v.extractor, v.fallback,
        row_number() OVER (PARTITION BY p.article_id ORDER BY v.seen_at, p.id) AS place
    FROM pages p JOIN versions v ON v.page_id = p.id AND v.article_id = p.article_id"""
"""The versions that pages show, in the order in which the pages showed the text."""

_FILL: Final = (
    "SELECT site, 'state', state, count(*) FROM pages GROUP BY site, state",
    """SELECT site, 'failure', failure_kind, count(*)
    FROM pages WHERE failure_kind IS NOT NULL GROUP BY site, failure_kind""",
    f"""SELECT site, CASE WHEN place = 1 THEN 'article' ELSE 'duplicate' END, extractor, count(*)
    FROM ({_SHOWN}) shown GROUP BY 1, 2, 3""",  # noqa: S608  constants of this module
    f"SELECT site, 'fallback', extractor, count(*) FROM ({_SHOWN}) shown WHERE place = 1 AND fallback GROUP BY 1, 2, 3",  # noqa: S608
)


def upgrade() -> None:
    op.create_table(
        "site_totals",
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("counted", sa.String(length=16), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("site", "counted", "value", name=op.f("pk_site_totals")),
    )
    for query in _FILL:
        op.execute(f"INSERT INTO site_totals (site, counted, value, number) {query}")
