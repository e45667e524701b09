"""What an ingest could not take of a part of a file, and when the file was last changed.

Parts from before count as whole: without broken records, and without a time of change.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("ingests", sa.Column("broken", sa.Integer(), server_default="0", nullable=False))
    op.add_column("ingests", sa.Column("future", sa.Integer(), server_default="0", nullable=False))
    op.add_column("ingests", sa.Column("changed", sa.BigInteger()))
