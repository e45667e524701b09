"""The identity of an installation: a UUID that the database keeps. The ids of feeds are made from it.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    table = op.create_table(
        "installation",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.bulk_insert(table, [{"id": str(uuid.uuid4())}])
