"""The tables of the change feed: changes and their consumers, standing searches and what they have found, secret
addresses of feeds, and what was forgotten."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, Table, false

from newscrawl.storage.engine.types import (
    LINE,
    LINE_LIMIT,
    NAME,
    NAME_LIMIT,
    URL_LIMIT,
    CleanJson,
    CleanText,
    Code,
    Id,
    PartialIndex,
    UtcDateTime,
    id_column,
    metadata,
)

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
    Column("filters", LINE),
)

consumer_articles = Table(
    "consumer_articles",
    metadata,
    Column("consumer", Code(NAME_LIMIT), primary_key=True),
    Column("article_id", BigInteger, primary_key=True),  # no foreign key: a removal outlives its article
    Column("given", Boolean, nullable=False),
    Column("refused_seq", BigInteger),
    Column("reason", LINE),
    Column("at", UtcDateTime),
    PartialIndex("ix_consumer_articles_refused", "consumer", "refused_seq", condition="refused_seq IS NOT NULL"),
)
"""The articles that a consumer with a filter was sent (`given`), and the changes that a consumer's receiver refused,
with the reason (newscrawl.storage.feed.consumers)."""

standing_searches = Table(
    "standing_searches",
    metadata,
    Column("name", Code(NAME_LIMIT), primary_key=True),
    Column("query", LINE, nullable=False),
    Column("feed_id", Code(36), nullable=False),
    Column("from_seq", BigInteger, nullable=False),
    Column("saved_at", UtcDateTime, nullable=False),
)

search_hits = Table(
    "search_hits",
    metadata,
    Column("search", Code(NAME_LIMIT), primary_key=True),
    Column("story_id", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", BigInteger, nullable=False, index=True),  # no foreign key: a removal outlives its article
    Column("entry_id", Code(36), nullable=False),
    Column("found_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("withdrawn", Boolean, nullable=False, server_default=false()),
    Index(None, "story_id"),
    Index(None, "search", "updated_at"),
)
"""One row for each story that a search has found. It has no text of the article, so `newscrawl forget` need not read
it."""

feed_addresses = Table(
    "feed_addresses",
    metadata,
    id_column(),
    Column("secret_hash", Code(64), nullable=False, unique=True),
    Column("scope", Code(16), nullable=False),
    Column("value", Code(NAME_LIMIT)),
    Column("made_at", UtcDateTime, nullable=False),
    Column("made_by", Code(NAME_LIMIT), nullable=False),
    Column("revoked_at", UtcDateTime),
    sqlite_autoincrement=True,  # a number is never used again
)
"""One row for each secret address of a feed. The secret is not stored, only its SHA-256 hash."""

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
    id_column(),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("site", NAME),
    Column("pages", Integer, nullable=False),
    Column("articles", Integer, nullable=False),
    Column("on_blocklist", Boolean, nullable=False),
    Column("who", NAME),
    Column("reason", CleanText(REASON_LIMIT)),
    Column("key_hashes", LargeBinary),
    sqlite_autoincrement=True,  # a number is never used again
)
"""The register of what was forgotten: one row for each page or site (newscrawl.storage.removal.register), and one
without numbers for what machines were asked to remove from their archives (newscrawl.storage.captures.archive_files).
Addresses are not stored: `key_hashes` are the SHA-256 hashes of URL keys, 32 bytes each."""
