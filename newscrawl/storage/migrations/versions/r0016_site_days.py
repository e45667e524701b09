"""Each site's days: addresses asked for that were never fetched before, and new articles.

New articles of the weeks before the upgrade are counted from the pages: a large site must not be taken for a new one.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_WEEKS = timedelta(days=28)


def upgrade() -> None:
    days = op.create_table(
        "site_days",
        sa.Column("name", sa.String(length=400), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("bound", sa.Integer()),
        sa.PrimaryKeyConstraint("name", "day", name=op.f("pk_site_days")),
    )
    is_full = sa.text("bound IS NOT NULL")
    op.create_index("ix_site_days_full", "site_days", ["day"], sqlite_where=is_full, postgresql_where=is_full)
    counted = _counted(op.get_bind(), datetime.now(UTC))
    rows = [
        {"name": row.site, "day": date.fromisoformat(row.day), "asked": 0, "articles": row.number} for row in counted
    ]
    if rows:
        op.bulk_insert(days, rows)


def _counted(connection: sa.Connection, now: datetime) -> Sequence[sa.Row[Any]]:
    """Site, day and number of the pages that were first seen on it and show an article."""
    first_seen = sa.column("first_seen", sa.DateTime(timezone=True))
    is_sqlite = connection.dialect.name == "sqlite"
    day = sa.func.date(first_seen if is_sqlite else sa.func.timezone("UTC", first_seen))
    pages = sa.table("pages", sa.column("site", sa.String()), first_seen, sa.column("article_id", sa.BigInteger()))
    query = (
        sa.select(pages.c.site, sa.cast(day, sa.String()).label("day"), sa.func.count().label("number"))
        .where(pages.c.article_id.is_not(None), pages.c.first_seen >= now - _WEEKS, pages.c.first_seen <= now)
        .group_by(pages.c.site, day)
    )
    return connection.execute(query).all()
