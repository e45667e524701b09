"""What is usual for each site, what its latest pages came to, and alarms.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "observations",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_new", sa.Boolean(), nullable=False),
        sa.Column("published", sa.DateTime(timezone=True)),
        sa.Column("failure", sa.Text()),
        sa.Column("verdict", sa.String(length=16)),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.Column("titled", sa.Boolean(), nullable=False),
        sa.Column("authored", sa.Boolean(), nullable=False),
        sa.Column("dated", sa.Boolean(), nullable=False),
        sa.Column("fell_back", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_observations")),
    )
    op.create_table(
        "baselines",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("volume", sa.Text()),
        sa.Column("base", sa.Text()),
        sa.Column("recent", sa.Text()),
        sa.Column("next_check", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("site", name=op.f("pk_baselines")),
    )
    op.create_index(op.f("ix_baselines_next_check"), "baselines", ["next_check"])
    op.create_table(
        "alarms",
        sa.Column("id", _id, autoincrement=True, nullable=False),
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True)),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True)),
        sa.Column("told_opened", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("told_closed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("tell_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alarms")),
        sqlite_autoincrement=True,
    )
    _partial("uq_alarms_open", ["site", "kind"], "closed_at IS NULL", unique=True)
    _partial("ix_alarms_tell_at", ["tell_at"], "tell_at IS NOT NULL", unique=False)


def _partial(name: str, columns: list[str], condition: str, *, unique: bool) -> None:
    where = sa.text(condition)
    op.create_index(name, "alarms", columns, unique=unique, sqlite_where=where, postgresql_where=where)
