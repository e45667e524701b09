"""The tables of near-duplicates: signatures, the bands that find them, and what is joined."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Integer, LargeBinary, Table

from newscrawl.storage.schema import metadata
from newscrawl.storage.types import Code

ALGORITHM_LIMIT: Final = 32

signatures = Table(
    "signatures",
    metadata,
    Column("article_id", ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("algorithm", Code(ALGORITHM_LIMIT), nullable=False),
    Column("shingles", Integer, nullable=False),
    Column("sketch", LargeBinary, nullable=False),
)
"""What newscrawl.identity.signature made of each text; the sketch is in big-endian numbers of eight bytes.
A text too short for one may have an empty sketch (newscrawl.storage.unsigned)."""

signature_bands = Table(
    "signature_bands",
    metadata,
    Column("value", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,  # the key is the row: half the size, one page to write instead of two
)
"""Which articles have a value in their sketch. No foreign key: it would need an index by article, as large again."""

cluster_members = Table(
    "cluster_members",
    metadata,
    Column("article_id", ForeignKey("articles.id"), primary_key=True, autoincrement=False),
    Column("cluster_id", BigInteger, nullable=False, index=True),
    Column("nearest_id", BigInteger, nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("resemblance", Float, nullable=False),
    Column("containment", Float, nullable=False),
)
"""Articles that have near-duplicates; one that has none is its own cluster and has no row. `cluster_id` is the smallest
id of an article in the cluster; the other columns are the strongest tie to another member, even one that is gone."""
