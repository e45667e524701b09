"""The verdict that all latest first visits of a directory of addresses had.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    op.add_column("url_patterns", sa.Column("kind", sa.String(length=64)))
