"""The tables of near-duplicates besides `articles`: the values that find them, and texts that are part of others."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Table

from newscrawl.storage.tables.columns import metadata

signature_bands = Table(
    "signature_bands",
    metadata,
    Column("value", BigInteger, primary_key=True, autoincrement=False),
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,  # the key is the whole row: half the size, one page to write instead of two
)
"""The articles whose signature (newscrawl.identity.signature) has a value. There is no foreign key: it would need an
index by article of the same size."""

text_links = Table(
    "text_links",
    metadata,
    Column("article_id", BigInteger, primary_key=True, autoincrement=False),
    Column("container_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("containment", Float, nullable=False),
)
"""Texts that are part of larger texts of other stories (newscrawl.storage.duplicates.containment_links)."""
