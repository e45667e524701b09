"""The tables of near-duplicates: signatures, the bands that find them, and the stories that join them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, LargeBinary, Table

from newscrawl.storage.engine.types import Code, UtcDateTime
from newscrawl.storage.tables.articles import articles
from newscrawl.storage.tables.columns import metadata

ALGORITHM_LIMIT: Final = 32
HASH_LIMIT: Final = 64

signatures = Table(
    "signatures",
    metadata,
    Column("article_id", ForeignKey(articles.c.id), primary_key=True, autoincrement=False),
    Column("algorithm", Code(ALGORITHM_LIMIT), nullable=False),
    Column("shingles", Integer, nullable=False),
    Column("sketch", LargeBinary, nullable=False),
    Column("first_seen", UtcDateTime),
    Column("content_hash", Code(HASH_LIMIT)),
)
"""The signature of each text (newscrawl.identity.signature). The sketch is a sequence of big-endian numbers of eight
bytes. A text too short for a sketch has no row. The last two columns are copies of the article's, where they are stored
behind a long text: the text's place in the order of decisions (newscrawl.identity.stories.StoryPlace)."""

signature_bands = Table(
    "signature_bands",
    metadata,
    Column("value", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,  # the key is the whole row: half the size, one page to write instead of two
)
"""The articles whose sketch has a value. There is no foreign key: it would need an index by article of the same
size."""

cluster_members = Table(
    "cluster_members",
    metadata,
    Column("article_id", ForeignKey(articles.c.id), primary_key=True, autoincrement=False),
    Column("cluster_id", BigInteger, nullable=False, index=True),
    Column("representative_id", BigInteger, nullable=False),
    Column("first_seen", UtcDateTime, nullable=False),
    Column("content_hash", Code(HASH_LIMIT), nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("resemblance", Float, nullable=False),
    Column("containment", Float, nullable=False),
    Index("ix_cluster_members_star", "representative_id", "first_seen", "content_hash"),
)
"""The articles of stories. A story of one article has no row. `cluster_id`, the story's number, is the smallest id of
its articles. The last three columns compare the article with the representative. The representative has a row for
itself."""

pending_texts = Table(
    "pending_texts",
    metadata,
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    Column("first_seen", UtcDateTime, nullable=False, index=True),
)
"""Texts whose stories must be decided again (newscrawl.storage.duplicates.pending)."""

rejected_members = Table(
    "rejected_members",
    metadata,
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    Column("representative_id", BigInteger, primary_key=True, autoincrement=False, index=True),
)
"""Texts that resemble a representative and do not join its story, because they resemble its first members too
little."""

text_links = Table(
    "text_links",
    metadata,
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    Column("container_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("found_by", BigInteger, nullable=False, index=True),
    Column("containment", Float, nullable=False),
)
"""Texts that are part of larger texts of other stories (newscrawl.storage.duplicates.containment_links). `found_by` is
the text, of the two, whose decision found the link."""

story_first_pages = Table(
    "story_first_pages",
    metadata,
    Column("cluster_id", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", BigInteger, nullable=False),
    Column("page_id", BigInteger, nullable=False),
    Column("rule", Code(16), nullable=False),
)
"""The page that is shown first, for each story that several pages show (newscrawl.storage.duplicates.first_pages)."""

pending_first_pages = Table(
    "pending_first_pages",
    metadata,
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
)
"""Articles whose stories' first pages must be chosen again: those of sites whose declarations changed."""

text_link_counts = Table(
    "text_link_counts",
    metadata,
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    Column("further_containers", Integer, nullable=False),
)
"""The number of larger texts that a text is part of, besides those in `text_links`."""
