"""When a site's front page is compared next with what its sources name.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("sites", sa.Column("coverage_due", sa.DateTime(timezone=True)))
