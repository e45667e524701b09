"""The table of what sites declare."""

from __future__ import annotations

from sqlalchemy import Column, Table

from newscrawl.storage.engine.types import CleanJson, CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, URL_LIMIT, metadata

VALUE_LIMIT = 2_000
"""Characters of an expression, and of a setting's value."""

site_profiles = Table(
    "site_profiles",
    metadata,
    Column("site", Code(NAME_LIMIT), primary_key=True),
    Column("home", CleanText(URL_LIMIT), nullable=False),
    Column("language", Code(40)),
    Column("country", Code(40)),
    Column("patterns", CleanJson(VALUE_LIMIT), nullable=False),
    Column("settings", CleanJson(VALUE_LIMIT), nullable=False),
    Column("noted", UtcDateTime, nullable=False),
)
"""The declaration of the site at the start of the latest crawl that found it changed."""
