"""Machines, and the processes that crawl with the database.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "machines",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("since", _moment, nullable=False),
        sa.Column("last_seen", _moment, nullable=False),
        sa.Column("removed_at", _moment),
        sa.Column("removed_by", sa.Text()),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_machines")),
    )
    op.create_table(
        "processes",
        sa.Column("process", sa.String(length=200), nullable=False),
        sa.Column("machine", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=200), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("revision", sa.String(length=40), nullable=False),
        sa.Column("since", _moment, nullable=False),
        sa.Column("last_seen", _moment, nullable=False),
        sa.PrimaryKeyConstraint("process", name=op.f("pk_processes")),
    )
