"""The table of the numbers of each site by hour."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, Integer, Table

from newscrawl.storage.engine.types import CleanText, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, metadata

NUMBERS: Final = (
    *("found", "fetched", "not_modified", "stored", "duplicates", "new_versions", "in_review"),
    *("failed", "gone", "refused", "no_article"),
)
"""The kinds of numbers that tell what a crawl did."""
REQUESTED: Final = "new_pages_requested"
ARTICLES: Final = "new_articles"
LIMIT: Final = "limit_reached"
OF_DAYS: Final = (REQUESTED, ARTICLES, LIMIT)
"""The kinds by which the limit of new addresses a day is made. The row of `LIMIT` has the day's first hour and the
limit itself."""

site_hours = Table(
    "site_hours",
    metadata,
    Column("site", CleanText(NAME_LIMIT * 2), primary_key=True),
    Column("hour", UtcDateTime, primary_key=True),
    Column("kind", CleanText(NAME_LIMIT), primary_key=True),
    Column("number", Integer, nullable=False),
    # The latest hours of all sites, which most readers want, and the oldest, which the upkeep removes.
    Index(None, "hour", "site", "kind", "number"),
    sqlite_with_rowid=False,  # the key is nearly the whole row
)
"""The numbers of a site's crawls in an hour (newscrawl.storage.monitoring.hours). `kind` is one of `NUMBERS`, one of
`OF_DAYS`, or a reason code, which has a slash."""
