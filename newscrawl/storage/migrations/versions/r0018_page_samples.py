"""What the watchdog has learned as JSON: a sample of each page, and a site's two baselines.

Stored baselines and waiting samples are converted, so the watchdog goes on with what it knew; a baseline that cannot be
read is learned anew. Open alarms stay as they are.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import logging

import sqlalchemy as sa
from alembic import op

from newscrawl.storage.migrations import baselines_of_0016

revision = "0018"
down_revision = "0017"

_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_moment = sa.DateTime(timezone=True)

logger = logging.getLogger(__name__)


def upgrade() -> None:
    _convert_samples(op.get_bind())
    _convert_baselines(op.get_bind())


def _convert_samples(connection: sa.Connection) -> None:
    samples = op.create_table(
        "page_samples",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("sample", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page_samples")),
    )
    flags = ("is_new", "titled", "authored", "dated", "fell_back", "doubted")
    names = ("site", "failure", "verdict", "characters", "page", "text")
    observations = sa.table(
        "observations",
        sa.column("id", sa.BigInteger()),
        sa.column("at", _moment),
        sa.column("published", _moment),
        *(sa.column(name, sa.Boolean()) for name in flags),
        *(sa.column(name) for name in names),
    )
    rows = connection.execute(sa.select(observations).order_by(observations.c.id)).all()
    if rows:
        op.bulk_insert(samples, [{"site": row.site, "sample": baselines_of_0016.sample(row)} for row in rows])
    op.drop_table("observations")


def _convert_baselines(connection: sa.Connection) -> None:
    op.add_column("baselines", sa.Column("extraction", sa.Text()))
    names = ("site", "volume", "base", "recent", "extraction")
    baselines = sa.table("baselines", *(sa.column(name, sa.String()) for name in names))
    sites = connection.execute(sa.select(baselines.c.site)).scalars().all()
    for site in sites:
        mine = baselines.c.site == site
        row = connection.execute(sa.select(baselines).where(mine)).one()
        values = {
            "volume": baselines_of_0016.volume(row.volume),
            "extraction": baselines_of_0016.extraction(row.base, row.recent),
        }
        if (row.volume and not values["volume"]) or ((row.base or row.recent) and not values["extraction"]):
            logger.warning("a baseline of %s cannot be read and is learned anew", site)
        connection.execute(sa.update(baselines).where(mine).values(values))
    with op.batch_alter_table("baselines") as table:
        table.drop_column("base")
        table.drop_column("recent")
