"""The tables of the raw archive: its files, the place of each fetched page in them, and what is to be removed."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, UniqueConstraint

from newscrawl.storage.engine.types import CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, URL_LIMIT, Id, metadata

archive_files = Table(
    "archive_files",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
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

archive_removals = Table(
    "archive_removals",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("forgotten_id", BigInteger, nullable=False),
    Column("file_id", BigInteger, nullable=False, index=True),  # no foreign key: the row of a removed file goes
    Column("machine", Code(NAME_LIMIT)),
    Column("done_at", UtcDateTime, index=True),
    UniqueConstraint("forgotten_id", "file_id"),
)
"""The files from which a machine has to remove, or has removed, what a row of `forgotten` names: all pages of its site
if its kind is `site`, and the pages whose keys have its hashes."""
