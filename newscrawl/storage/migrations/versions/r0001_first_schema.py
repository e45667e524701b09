"""The first schema: pages, their addresses, articles and versions, and what a crawl keeps of its sources and hosts.

A revision never changes once released and imports nothing of the schema, which goes on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _articles()
    _events()
    _hosts()
    _quarantine()
    _runs()
    _sources()
    _pages()
    _urls()
    _versions()


def _id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _time() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def _articles() -> None:
    op.create_table(
        "articles",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("identity_key", sa.String(length=64), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("language", sa.Text()),
        sa.Column("extractor", sa.Text(), nullable=False),
        sa.Column("first_seen", _time(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_articles")),
        sa.UniqueConstraint("identity_key", name=op.f("uq_articles_identity_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_articles_content_hash"), "articles", ["content_hash"], unique=False)


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("url_key", sa.String(length=4096), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("at", _time(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_events_url_key_id"), "events", ["url_key", "id"], unique=False)


def _hosts() -> None:
    op.create_table(
        "hosts",
        sa.Column("key", sa.String(length=400), nullable=False),
        sa.Column("last_request_at", _time()),
        sa.Column("delay", sa.Float()),
        sa.Column("not_before", _time()),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("robots_body", sa.LargeBinary()),
        sa.Column("robots_status", sa.Integer()),
        sa.Column("robots_fetched_at", _time()),
        sa.Column("day", sa.Date()),
        sa.Column("requests_today", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_hosts")),
    )


def _quarantine() -> None:
    op.create_table(
        "quarantine",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("at", _time(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quarantine")),
    )
    op.create_index(op.f("ix_quarantine_site"), "quarantine", ["site"], unique=False)


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("started", _time(), nullable=False),
        sa.Column("finished", _time()),
        sa.Column("counters", sa.JSON()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    op.create_index(op.f("ix_runs_site_started"), "runs", ["site", "started"], unique=False)


def _sources() -> None:
    op.create_table(
        "sources",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("url_key", sa.String(length=4096), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("etag", sa.Text()),
        sa.Column("last_modified", sa.Text()),
        sa.Column("watermark", _time()),
        sa.Column("interval", sa.Float()),
        sa.Column("next_due", _time()),
        sa.Column("last_fetched", _time()),
        sa.Column("last_status", sa.Integer()),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failure_kind", sa.Text()),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("named", sa.Integer(), nullable=False),
        sa.Column("new", sa.Integer(), nullable=False),
        sa.Column("unusable", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sources")),
        sa.UniqueConstraint("site", "url_key", name=op.f("uq_sources_site_url_key")),
    )


def _pages() -> None:
    op.create_table(
        "pages",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("url_key", sa.String(length=4096), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.String(length=16)),
        sa.Column("first_seen", _time(), nullable=False),
        sa.Column("last_fetched", _time()),
        sa.Column("last_change", _time()),
        sa.Column("next_due", _time()),
        sa.Column("etag", sa.Text()),
        sa.Column("last_modified", sa.Text()),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failure_kind", sa.Text()),
        sa.Column("last_status", sa.Integer()),
        sa.Column("article_id", _id()),
        sa.Column("discovery_kind", sa.String(length=16)),
        sa.Column("discovery_source", sa.Text()),
        sa.Column("discovery_title", sa.Text()),
        sa.Column("discovery_published", _time()),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=op.f("fk_pages_article_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pages")),
        sa.UniqueConstraint("url_key", name=op.f("uq_pages_url_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_pages_article_id"), "pages", ["article_id"], unique=False)
    op.create_index(op.f("ix_pages_site_state_next_due"), "pages", ["site", "state", "next_due"], unique=False)


def _urls() -> None:
    op.create_table(
        "urls",
        sa.Column("url_key", sa.String(length=4096), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("page_id", _id(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["pages.id"], name=op.f("fk_urls_page_id")),
        sa.PrimaryKeyConstraint("url_key", name=op.f("pk_urls")),
    )
    op.create_index(op.f("ix_urls_page_id"), "urls", ["page_id"], unique=False)


def _versions() -> None:
    op.create_table(
        "versions",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("page_id", _id(), nullable=False),
        sa.Column("article_id", _id(), nullable=False),
        sa.Column("seen_at", _time(), nullable=False),
        sa.Column("last_seen", _time(), nullable=False),
        sa.Column("change_class", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("title", sa.Text()),
        sa.Column("authors", sa.JSON()),
        sa.Column("published", _time()),
        sa.Column("published_source", sa.Text()),
        sa.Column("published_precision", sa.String(length=16)),
        sa.Column("published_zone_stated", sa.Boolean()),
        sa.Column("modified", _time()),
        sa.Column("modified_source", sa.Text()),
        sa.Column("modified_precision", sa.String(length=16)),
        sa.Column("modified_zone_stated", sa.Boolean()),
        sa.Column("language", sa.Text()),
        sa.Column("section", sa.Text()),
        sa.Column("tags", sa.JSON()),
        sa.Column("image", sa.Text()),
        sa.Column("canonical", sa.Text()),
        sa.Column("site_name", sa.Text()),
        sa.Column("description", sa.Text()),
        sa.Column("extractor", sa.Text(), nullable=False),
        sa.Column("fallback", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("trace", sa.JSON()),
        sa.Column("problems", sa.JSON()),
        sa.Column("refused_dates", sa.JSON()),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name=op.f("fk_versions_article_id")),
        sa.ForeignKeyConstraint(["page_id"], ["pages.id"], name=op.f("fk_versions_page_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("page_id", "article_id", name=op.f("uq_versions_page_id_article_id")),
    )
    op.create_index(op.f("ix_versions_article_id"), "versions", ["article_id"], unique=False)
