"""Schedules: leases, budgets and what is learned of sources; who named an address; what a page says about its use.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _pages()
    _sources()
    _hosts()
    _runs()
    _sightings()
    _mentions()
    _leases()
    _sites()


def _id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _time() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def _pages() -> None:
    # One by one: a batch would rebuild the largest table of a SQLite file.
    for column in (
        sa.Column("visits", sa.Integer(), server_default="0", nullable=False),
        sa.Column("edits", sa.Integer(), server_default="0", nullable=False),
        sa.Column("noindex", sa.Boolean()),
        sa.Column("noarchive", sa.Boolean()),
        sa.Column("nosnippet", sa.Boolean()),
        sa.Column("tdm_reservation", sa.Boolean()),
        sa.Column("tdm_policy", sa.Text()),
    ):
        op.add_column("pages", column)
    has_due, is_found = sa.text("next_due IS NOT NULL"), sa.text("state = 'found'")
    op.create_index(
        "ix_pages_due", "pages", ["next_due", "state", "site"], sqlite_where=has_due, postgresql_where=has_due
    )
    op.create_index("ix_pages_found", "pages", ["site"], sqlite_where=is_found, postgresql_where=is_found)


def _sources() -> None:
    for column in (
        sa.Column("parent", sa.Text()),
        sa.Column("first_seen", _time()),
        sa.Column("last_new", _time()),
        sa.Column("last_full", _time()),
        sa.Column("not_before", _time()),
        sa.Column("failing_since", _time()),
        sa.Column("retired_at", _time()),
        sa.Column("content_hash", sa.String(length=64)),
        sa.Column("lies", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rate", sa.Float()),
        sa.Column("memory", sa.JSON()),
        sa.Column("moved_to", sa.Text()),
        sa.Column("moved_times", sa.Integer(), server_default="0", nullable=False),
        sa.Column("moved_since", _time()),
    ):
        op.add_column("sources", column)
    # Nothing scheduled them before; one that was given up is tried once more.
    op.execute("UPDATE sources SET next_due = last_fetched, first_seen = last_fetched WHERE next_due IS NULL")
    op.create_index(op.f("ix_sources_next_due"), "sources", ["next_due"], unique=False)


def _hosts() -> None:
    for column in (
        sa.Column("crawl_delay", sa.Float()),
        sa.Column("latency", sa.Float()),
        sa.Column("robots_reading", sa.String(length=16)),
        sa.Column("robots_expires_at", _time()),
        sa.Column("robots_failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("robots_reason", sa.Text()),
        sa.Column("robots_good_at", _time()),
    ):
        op.add_column("hosts", column)


def _runs() -> None:
    op.add_column("runs", sa.Column("owner", sa.Text()))


def _sightings() -> None:
    op.create_table(
        "sightings",
        sa.Column("url_key", sa.String(length=4096), nullable=False),
        sa.Column("source_id", _id(), nullable=False),
        sa.Column("at", _time(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("published", _time()),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_sightings_source_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("url_key", "source_id", name=op.f("pk_sightings")),
    )
    op.create_index(op.f("ix_sightings_source_id"), "sightings", ["source_id"], unique=False)


def _mentions() -> None:
    op.create_table(
        "mentions",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("url_key", sa.String(length=4096), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("published", _time()),
        sa.Column("first_seen", _time(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mentions")),
        sa.UniqueConstraint("site", "url_key", name=op.f("uq_mentions_site_url_key")),
        sqlite_autoincrement=True,
    )


def _leases() -> None:
    op.create_table(
        "leases",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("owner", sa.Text()),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("expires", _time()),
        sa.PrimaryKeyConstraint("site", name=op.f("pk_leases")),
    )


def _sites() -> None:
    op.create_table(
        "sites",
        sa.Column("site", sa.String(length=200), nullable=False),
        sa.Column("last_started", _time()),
        sa.Column("last_finished", _time()),
        sa.Column("day", sa.Date()),
        sa.Column("requests_today", sa.Integer(), nullable=False),
        sa.Column("over_budget", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("site", name=op.f("pk_sites")),
    )
