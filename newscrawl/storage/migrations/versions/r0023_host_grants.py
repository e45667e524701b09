"""The grant of each host: the process that may send requests to it, until when, and whether another process waits.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("hosts", sa.Column("owner", sa.Text()))
    op.add_column("hosts", sa.Column("busy_until", _moment))
    op.add_column("hosts", sa.Column("wanted_at", _moment))
