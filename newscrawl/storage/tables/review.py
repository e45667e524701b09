"""The table of pages that wait for review."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, Table

from newscrawl.storage.engine.types import CleanJson, CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import LINE_LIMIT, NAME_LIMIT, TEXT_LIMIT, URL_LIMIT, Id, metadata

review_queue = Table(
    "review_queue",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("url_key", Code(URL_LIMIT), nullable=False, unique=True),
    Column("final_key", Code(URL_LIMIT), nullable=False, index=True),
    Column("url", CleanText(URL_LIMIT), nullable=False),
    Column("site", CleanText(NAME_LIMIT), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("status", Integer, nullable=False),
    Column("reasons", CleanJson(NAME_LIMIT)),
    Column("failure", CleanText(NAME_LIMIT)),
    Column("extractor", CleanText(NAME_LIMIT)),
    Column("title", CleanText(LINE_LIMIT)),
    Column("content_hash", Code(64)),
    Column("identity_key", Code(64)),
    Column("text", CleanText(TEXT_LIMIT)),
    Column("article", CleanJson(URL_LIMIT)),
    Column("usage_rights", CleanJson(URL_LIMIT)),
    Column("confidence", Float),
    Index(None, "site", "at"),
    sqlite_autoincrement=True,
)
"""The newest reading of each page whose text is not credible (newscrawl.storage.monitoring.review_queue). It is not in
`articles`, so no reader of articles can show it. `url_key` is the key of the page, `final_key` that of the URL that
answered."""
