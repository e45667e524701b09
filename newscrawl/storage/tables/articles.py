"""The tables of what was found: articles and their near-duplicates, the pages that show them, the URLs of a page, the
versions of a page, earlier headlines, and the places of fetched pages in the raw archive."""

from __future__ import annotations

from typing import Final

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

from newscrawl.storage.engine.types import (
    ENTRY_LIMIT,
    KEY,
    LINE,
    LINE_LIMIT,
    NAME,
    NAME_LIMIT,
    TEXT_LIMIT,
    URL,
    URL_LIMIT,
    CleanJson,
    CleanText,
    Code,
    PartialIndex,
    UtcDateTime,
    id_column,
    metadata,
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
    Column("language", NAME),
    Column("extractor", NAME, nullable=False),
    Column("first_seen", UtcDateTime, nullable=False),
    Column("structure", CleanJson(ENTRY_LIMIT)),
    Column("text", CleanText(TEXT_LIMIT), nullable=False),  # last: SQLite reads a row from its beginning
    sqlite_autoincrement=True,  # an article's id is never used again
)
STORY: Final = func.coalesce(articles.c.story_id, articles.c.id)
"""The number of an article's story, as `ix_articles_story` has it."""
"""`story_id` is the id of the first text of the article's story (newscrawl.storage.duplicates.join), its
representative. The next three columns compare the article with the text that represented the story when the article
joined it. All four are NULL for the representative itself."""
Index("ix_articles_story", func.coalesce(articles.c.story_id, articles.c.id), articles.c.id)

pages = Table(
    "pages",
    metadata,
    id_column(),
    Column("url_key", KEY, nullable=False, unique=True),
    Column("url", URL, nullable=False),
    Column("site", NAME, nullable=False),
    Column("state", Code(16), nullable=False),
    Column("verdict", Code(16)),
    Column("first_seen", UtcDateTime, nullable=False),
    Column("last_fetched", UtcDateTime),
    Column("last_change", UtcDateTime),
    Column("next_due", UtcDateTime),
    Column("etag", LINE),
    Column("last_modified", NAME),
    Column("failures", Integer, nullable=False),
    Column("failure_kind", NAME),
    Column("last_status", Integer),
    Column("article_id", ForeignKey("articles.id"), index=True),
    Column("discovery_kind", Code(16)),
    Column("discovery_source", URL),
    Column("discovery_title", LINE),
    Column("discovery_published", UtcDateTime),
    Column("visits", Integer, nullable=False, server_default="0"),
    Column("edits", Integer, nullable=False, server_default="0"),
    Column("noindex", Boolean),
    Column("noarchive", Boolean),
    Column("nosnippet", Boolean),
    Column("tdm_reservation", Boolean),
    Column("tdm_policy", URL),
    Column("claimed_canonical_key", KEY),
    # Of the text that the page shows, so that pages are counted without reading its version; NULL if it shows none.
    Column("extractor", NAME),
    Column("fallback", Boolean),
    Column("joined", Boolean),
    Index(None, "site", "state", "next_due"),
    # The numbers of a site (reports.sites), read from the index alone.
    Index("ix_pages_counts", "site", "state", "failure_kind", "extractor", "fallback", "joined"),
    # For each tick of the fleet: which sites have pages to fetch. Both indexes have only those few rows.
    PartialIndex("ix_pages_due", "next_due", "state", "site", condition="next_due IS NOT NULL"),
    PartialIndex("ix_pages_found", "site", condition="state = 'found'"),
    sqlite_autoincrement=True,
)

urls = Table(
    "urls",
    metadata,
    Column("url_key", KEY, primary_key=True),
    Column("url", URL, nullable=False),
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
    Column("title", LINE),
    Column("authors", CleanJson(NAME_LIMIT)),
    Column("published", UtcDateTime),
    Column("published_source", NAME),
    Column("published_precision", Code(16)),
    Column("published_zone_stated", Boolean),
    Column("published_offset", Integer),
    Column("modified", UtcDateTime),
    Column("modified_source", NAME),
    Column("modified_precision", Code(16)),
    Column("modified_zone_stated", Boolean),
    Column("modified_offset", Integer),
    Column("language", NAME),
    Column("section", LINE),
    Column("tags", CleanJson(NAME_LIMIT)),
    Column("image", URL),
    Column("canonical", URL),
    Column("site_name", LINE),
    Column("description", LINE),
    Column("extractor", NAME, nullable=False),
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

headlines = Table(
    "headlines",
    metadata,
    id_column(),
    Column("page_id", ForeignKey("pages.id"), nullable=False),
    Column("article_id", ForeignKey("articles.id"), nullable=False, index=True),
    Column("label_key", Code(64), nullable=False),
    Column("title", LINE),
    Column("authors", CleanJson(NAME_LIMIT)),
    Column("seen_at", UtcDateTime, nullable=False),
    Column("last_seen", UtcDateTime, nullable=False),
    UniqueConstraint("page_id", "article_id", "label_key"),
    Index(None, "page_id", "seen_at"),
)
"""Titles and authors that a page has shown with one text, if there was more than one pair
(newscrawl.storage.articles.writing)."""

signature_bands = Table(
    "signature_bands",
    metadata,
    Column("value", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,  # the key is the whole row: half the size, one page to write instead of two
)
"""The articles whose signature (newscrawl.model.identity.signature) has a value. There is no foreign key: it would need
an index by article of the same size."""

text_links = Table(
    "text_links",
    metadata,
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    Column("container_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("containment", Float, nullable=False),
)
"""Texts that are part of larger texts of other stories (newscrawl.storage.duplicates.story_pages)."""

archive_files = Table(
    "archive_files",
    metadata,
    id_column(),
    Column("name", Code(NAME_LIMIT), nullable=False, unique=True),
    Column("created", UtcDateTime, nullable=False),
    Column("deleted", UtcDateTime),
    Column("machine", Code(NAME_LIMIT)),
    sqlite_autoincrement=True,  # a file's number is never used again
)
"""Files of the archive. A file that is `deleted` is no longer read; it is removed from the disk after the transaction
that sets this. `machine` holds the file: the name of a machine, or the address of an object store (s3://...); NULL is a
file of no known machine, until one finds it in its folder."""

captures = Table(
    "captures",
    metadata,
    id_column(),
    Column("url_key", KEY, nullable=False, index=True),
    Column("url", URL, nullable=False),
    Column("requested_url", URL),
    Column("site", NAME, nullable=False),
    Column("fetched_at", UtcDateTime, nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("digest", Code(64), index=True),
    Column("file_id", ForeignKey("archive_files.id"), nullable=False),
    Column("offset", BigInteger, nullable=False),
    Column("length", Integer, nullable=False),
    Column("body_file_id", BigInteger),
    Column("body_offset", BigInteger),
    Column("body_length", Integer),
    Column("article_id", BigInteger),  # no foreign key: an article may be deleted while its page is kept
    Column("failure", NAME),
    UniqueConstraint("file_id", "offset"),
    Index(None, "body_file_id", "body_offset"),
    Index(None, "site", "fetched_at"),
)
"""One row for each fetch. `article_id` is the article extracted from it, `failure` says why there is none. `body_*` is
the place of its bytes, which is another capture's if the same bytes had been stored before."""

archive_removals = Table(
    "archive_removals",
    metadata,
    id_column(),
    Column("forgotten_id", BigInteger, nullable=False),
    Column("file_id", BigInteger, nullable=False, index=True),  # no foreign key: the row of a removed file goes
    Column("machine", Code(NAME_LIMIT)),
    Column("done_at", UtcDateTime, index=True),
    UniqueConstraint("forgotten_id", "file_id"),
)
"""The files from which a machine has to remove, or has removed, what a row of `forgotten` names: all pages of its site
if its kind is `site`, and the pages whose keys have its hashes."""
