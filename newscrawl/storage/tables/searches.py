"""The tables of standing searches: what is searched for, the stories that were found, and what their destinations are
told. The secret addresses of feeds and the identity that their ids are made from are here, too."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table, UniqueConstraint, false

from newscrawl.storage.engine.types import CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import LINE_LIMIT, NAME_LIMIT, URL_LIMIT, Id, metadata

PLACE_LIMIT = URL_LIMIT + 16
"""Characters of a destination: an address with the kind before it."""

standing_searches = Table(
    "standing_searches",
    metadata,
    Column("name", Code(NAME_LIMIT), primary_key=True),
    Column("query", CleanText(LINE_LIMIT), nullable=False),
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

search_events = Table(
    "search_events",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("search", Code(NAME_LIMIT), nullable=False),
    Column("event", Code(16), nullable=False),
    Column("story_id", BigInteger, nullable=False),
    Column("article_id", BigInteger, nullable=False),
    Column("reason", Code(32)),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "search", "id"),
    sqlite_autoincrement=True,  # a number is never used again
)

search_sinks = Table(
    "search_sinks",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("search", Code(NAME_LIMIT), nullable=False),
    Column("place", CleanText(PLACE_LIMIT), nullable=False),
    Column("digest_hours", Integer, nullable=False, server_default="0"),
    Column("sent_upto", BigInteger, nullable=False),
    Column("next_at", UtcDateTime, nullable=False, index=True),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("problem", CleanText(LINE_LIMIT)),
    UniqueConstraint("search", "place"),
)

feed_addresses = Table(
    "feed_addresses",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("secret_hash", Code(64), nullable=False, unique=True),
    Column("scope", Code(16), nullable=False),
    Column("value", Code(NAME_LIMIT)),
    Column("made_at", UtcDateTime, nullable=False),
    Column("made_by", Code(NAME_LIMIT), nullable=False),
    Column("revoked_at", UtcDateTime),
    sqlite_autoincrement=True,  # a number is never used again
)
"""One row for each secret address of a feed. The secret is not stored, only its SHA-256 hash."""
