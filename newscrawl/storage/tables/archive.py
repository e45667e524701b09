"""The tables of the raw archive: its files, and where in them each fetched page is."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, UniqueConstraint

from newscrawl.storage.engine.types import CleanText, Code, UtcDateTime
from newscrawl.storage.tables.schema import NAME_LIMIT, URL_LIMIT, Id, metadata

archive_files = Table(
    "archive_files",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("name", Code(NAME_LIMIT), nullable=False, unique=True),
    Column("created", UtcDateTime, nullable=False),
    Column("deleted", UtcDateTime),
    sqlite_autoincrement=True,  # a number given out once never names another file
)
"""A file that is `deleted` is no longer read, and goes from the disk after the transaction that says so."""

captures = Table(
    "captures",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("url_key", Code(URL_LIMIT), nullable=False, index=True),
    Column("url", CleanText(URL_LIMIT), nullable=False),
    Column("requested_url", CleanText(URL_LIMIT)),
    Column("site", CleanText(NAME_LIMIT), nullable=False),
    Column("fetched_at", UtcDateTime, nullable=False),
    Column("kind", Code(16), nullable=False),
    Column("digest", Code(64), index=True),
    Column("file_id", ForeignKey("archive_files.id"), nullable=False),
    Column("offset", BigInteger, nullable=False),
    Column("length", Integer, nullable=False),
    Column("body_file_id", BigInteger),
    Column("body_offset", BigInteger),
    Column("body_length", Integer),
    Column("article_id", BigInteger),  # no foreign key: an article may go while its page is kept
    Column("failure", CleanText(NAME_LIMIT)),
    UniqueConstraint("file_id", "offset"),
    Index(None, "body_file_id", "body_offset"),
    Index(None, "site", "fetched_at"),
)
"""One row a fetch. `article_id` is what was made of it, `failure` why nothing was; `body_*` say where its bytes are,
which is in another capture when they had been kept before."""
