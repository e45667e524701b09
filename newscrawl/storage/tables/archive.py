"""The tables of the raw archive: its files, and the place of each fetched page in them."""

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
    sqlite_autoincrement=True,  # a file's number is never used again
)
"""Files of the archive. A file that is `deleted` is no longer read; it is removed from the disk after the transaction
that sets this."""

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
    Column("article_id", BigInteger),  # no foreign key: an article may be deleted while its page is kept
    Column("failure", CleanText(NAME_LIMIT)),
    UniqueConstraint("file_id", "offset"),
    Index(None, "body_file_id", "body_offset"),
    Index(None, "site", "fetched_at"),
)
"""One row for each fetch. `article_id` is the article extracted from it, `failure` says why there is none. `body_*` is
the place of its bytes, which is another capture's if the same bytes had been stored before."""
