"""The tables of the change feed and its readers, of earlier headlines, and of what was forgotten."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, Table, UniqueConstraint

from newscrawl.storage.engine.types import CleanJson, CleanText, Code, UtcDateTime
from newscrawl.storage.tables.articles import articles, pages
from newscrawl.storage.tables.columns import LINE_LIMIT, NAME_LIMIT, URL_LIMIT, Id, condition_on, metadata

BLOCK_LIMIT: Final = URL_LIMIT + 8
"""Characters of a blocklist entry: a URL key or a site's name, with the prefix that says which of the two it is."""
REASON_LIMIT: Final = 500
"""Characters of the reason for which something was forgotten."""

changes = Table(
    "changes",
    metadata,
    Column("seq", Id, primary_key=True, autoincrement=True),
    Column("article_id", BigInteger, nullable=False, index=True),  # no foreign key: a removal outlives its article
    Column("op", Code(16), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("reason", Code(16)),
    Column("story_id", BigInteger),
    Column("into_story_id", BigInteger),
    Column("change_class", Code(16)),
    Column("new_entries", CleanJson(LINE_LIMIT)),
    Column("replaces", CleanJson(NAME_LIMIT)),
    Column("replaced_by", CleanJson(NAME_LIMIT)),
    sqlite_autoincrement=True,  # a number is never used again
)

cursors = Table(
    "cursors",
    metadata,
    Column("consumer", Code(NAME_LIMIT), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("index_id", Code(NAME_LIMIT)),
    Column("updated", UtcDateTime, nullable=False),
    Column("filters", CleanText(LINE_LIMIT)),
)

consumer_articles = Table(
    "consumer_articles",
    metadata,
    Column("consumer", Code(NAME_LIMIT), primary_key=True),
    Column("article_id", BigInteger, primary_key=True),  # no foreign key: a removal outlives its article
    Column("given", Boolean, nullable=False),
    Column("refused_seq", BigInteger),
    Column("reason", CleanText(LINE_LIMIT)),
    Column("at", UtcDateTime),
    Index("ix_consumer_articles_refused", "consumer", "refused_seq", **condition_on("refused_seq IS NOT NULL")),
)
"""The articles that a consumer with a filter was sent (`given`), and the changes that a consumer's receiver refused,
with the reason (newscrawl.storage.feed.consumers)."""

headlines = Table(
    "headlines",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("page_id", ForeignKey(pages.c.id), nullable=False),
    Column("article_id", ForeignKey(articles.c.id), nullable=False, index=True),
    Column("label_key", Code(64), nullable=False),
    Column("title", CleanText(LINE_LIMIT)),
    Column("authors", CleanJson(NAME_LIMIT)),
    Column("seen_at", UtcDateTime, nullable=False),
    Column("last_seen", UtcDateTime, nullable=False),
    UniqueConstraint("page_id", "article_id", "label_key"),
    Index(None, "page_id", "seen_at"),
)
"""Titles and authors that a page has shown with one text, if there was more than one pair
(newscrawl.storage.articles.writing.text_rows)."""

blocklist = Table(
    "blocklist",
    metadata,
    Column("key", Code(BLOCK_LIMIT), primary_key=True),
    Column("at", UtcDateTime, nullable=False),
)
"""The keys of pages and sites that must not be stored again: "url:" and a URL key, or "site:" and a name
(newscrawl.storage.removal.blocklist)."""

forgotten = Table(
    "forgotten",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("site", CleanText(NAME_LIMIT)),
    Column("pages", Integer, nullable=False),
    Column("articles", Integer, nullable=False),
    Column("on_blocklist", Boolean, nullable=False),
    Column("who", CleanText(NAME_LIMIT)),
    Column("reason", CleanText(REASON_LIMIT)),
    Column("key_hashes", LargeBinary),
    sqlite_autoincrement=True,  # a number is never used again
)
"""The register of what was forgotten: one row for each page or site (newscrawl.storage.removal.register), and one
without numbers for what machines were asked to remove from their archives (newscrawl.storage.captures.archive_files).
Addresses are not stored: `key_hashes` are the SHA-256 hashes of URL keys, 32 bytes each."""
