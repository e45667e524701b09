"""The tables of what was found: articles, the pages that show them, the URLs of a page, and the versions of a page."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    UniqueConstraint,
    false,
    func,
)

from newscrawl.storage.engine.types import CleanJson, CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import (
    ENTRY_LIMIT,
    LINE_LIMIT,
    NAME_LIMIT,
    TEXT_LIMIT,
    URL_LIMIT,
    condition_on,
    id_column,
    key_type,
    line_type,
    metadata,
    name_type,
    url_type,
)

articles = Table(
    "articles",
    metadata,
    id_column(),
    Column("identity_key", Code(64), nullable=False, unique=True),
    Column("content_hash", Code(64), nullable=False, index=True),
    Column("story_id", BigInteger),
    Column("kind", Code(16)),
    Column("resemblance", Float),
    Column("containment", Float),
    Column("language", name_type()),
    Column("extractor", name_type(), nullable=False),
    Column("first_seen", UtcDateTime, nullable=False),
    Column("text", CleanText(TEXT_LIMIT), nullable=False),  # last: SQLite reads a row from its beginning
    sqlite_autoincrement=True,  # an article's id is never used again
)
"""`story_id` is the id of the first text of the article's story (newscrawl.storage.duplicates.join), its
representative. The next three columns compare the article with the text that represented the story when the article
joined it. All four are NULL for the representative itself."""
Index("ix_articles_story", func.coalesce(articles.c.story_id, articles.c.id), articles.c.id)

pages = Table(
    "pages",
    metadata,
    id_column(),
    Column("url_key", key_type(), nullable=False, unique=True),
    Column("url", url_type(), nullable=False),
    Column("site", name_type(), nullable=False),
    Column("state", Code(16), nullable=False),
    Column("verdict", Code(16)),
    Column("first_seen", UtcDateTime, nullable=False),
    Column("last_fetched", UtcDateTime),
    Column("last_change", UtcDateTime),
    Column("next_due", UtcDateTime),
    Column("etag", line_type()),
    Column("last_modified", name_type()),
    Column("failures", Integer, nullable=False),
    Column("failure_kind", name_type()),
    Column("last_status", Integer),
    Column("article_id", ForeignKey("articles.id"), index=True),
    Column("discovery_kind", Code(16)),
    Column("discovery_source", url_type()),
    Column("discovery_title", line_type()),
    Column("discovery_published", UtcDateTime),
    Column("visits", Integer, nullable=False, server_default="0"),
    Column("edits", Integer, nullable=False, server_default="0"),
    Column("noindex", Boolean),
    Column("noarchive", Boolean),
    Column("nosnippet", Boolean),
    Column("tdm_reservation", Boolean),
    Column("tdm_policy", url_type()),
    Column("claimed_canonical_key", key_type()),
    # Of the text that the page shows, so that pages are counted without reading its version; NULL if it shows none.
    Column("extractor", name_type()),
    Column("fallback", Boolean),
    Column("joined", Boolean),
    Index(None, "site", "state", "next_due"),
    # The numbers of a site (reports.sites), read from the index alone.
    Index("ix_pages_counts", "site", "state", "failure_kind", "extractor", "fallback", "joined"),
    # For each tick of the fleet: which sites have pages to fetch. Both indexes have only those few rows.
    Index("ix_pages_due", "next_due", "state", "site", **condition_on("next_due IS NOT NULL")),
    Index("ix_pages_found", "site", **condition_on("state = 'found'")),
    sqlite_autoincrement=True,
)

urls = Table(
    "urls",
    metadata,
    Column("url_key", key_type(), primary_key=True),
    Column("url", url_type(), nullable=False),
    Column("page_id", ForeignKey("pages.id"), nullable=False, index=True),
)

versions = Table(
    "versions",
    metadata,
    id_column(),
    Column("page_id", ForeignKey("pages.id"), nullable=False),
    Column("article_id", ForeignKey("articles.id"), nullable=False, index=True),
    Column("seen_at", UtcDateTime, nullable=False),
    Column("last_seen", UtcDateTime, nullable=False),
    Column("change_class", Code(16), nullable=False),
    Column("new_entries", CleanJson(LINE_LIMIT)),
    Column("verdict", Code(16), nullable=False),
    Column("title", line_type()),
    Column("authors", CleanJson(NAME_LIMIT)),
    Column("published", UtcDateTime),
    Column("published_source", name_type()),
    Column("published_precision", Code(16)),
    Column("published_zone_stated", Boolean),
    Column("published_offset", Integer),
    Column("modified", UtcDateTime),
    Column("modified_source", name_type()),
    Column("modified_precision", Code(16)),
    Column("modified_zone_stated", Boolean),
    Column("modified_offset", Integer),
    Column("language", name_type()),
    Column("section", line_type()),
    Column("tags", CleanJson(NAME_LIMIT)),
    Column("image", url_type()),
    Column("canonical", url_type()),
    Column("site_name", line_type()),
    Column("description", line_type()),
    Column("extractor", name_type(), nullable=False),
    Column("fallback", Boolean, nullable=False, server_default=false()),
    Column("trace", CleanJson(LINE_LIMIT)),
    Column("problems", CleanJson(LINE_LIMIT)),
    Column("refused_dates", CleanJson(LINE_LIMIT)),
    Column("images", CleanJson(URL_LIMIT)),
    Column("videos", CleanJson(URL_LIMIT)),
    Column("audio", CleanJson(URL_LIMIT)),
    Column("live_entries", CleanJson(ENTRY_LIMIT)),
    Column("confidence", Float),
    Column("boilerplate_epoch", Integer),
    Column("left_out", CleanJson(NAME_LIMIT)),
    UniqueConstraint("page_id", "article_id"),
    Index(None, "seen_at"),  # a day of a site in the views
)
