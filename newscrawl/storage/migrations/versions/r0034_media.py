"""The images, videos and sounds of a version, as JSON in `versions`.

They are only read with their version, and nothing joins or filters by them, so a table of their own would cost a row
and an index entry each, and a second query. Stored rows get theirs when their pages are read again. A revision never
changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    for name in ("images", "videos", "audio"):
        op.add_column("versions", sa.Column(name, sa.JSON()))
