"""Epochs of the boilerplate of sites, and the epoch of each version.

An epoch is never changed, so its lines are one value and no rows of their own. `boilerplate_reextractions` says which
machine has extracted its archived pages again with which epoch: each machine can read only its own archive. A revision
never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.create_table(
        "boilerplate_epochs",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stories", sa.Integer(), nullable=False),
        sa.Column("lines", sa.LargeBinary(), nullable=False),
        sa.Column("learned_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("site", "epoch", name=op.f("pk_boilerplate_epochs")),
    )
    op.create_table(
        "boilerplate_reextractions",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("machine", sa.String(length=200), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("site", "machine", name=op.f("pk_boilerplate_reextractions")),
    )
    op.add_column("versions", sa.Column("boilerplate_epoch", sa.Integer()))
    op.add_column("versions", sa.Column("left_out", sa.JSON()))
