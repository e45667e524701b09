"""The tables of the numbers of each site: by hour, and of what is stored now."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Date, Index, Integer, Table

from newscrawl.storage.engine.types import CleanText, Code, UtcDateTime
from newscrawl.storage.tables.columns import NAME_LIMIT, metadata

NUMBERS: Final = (
    *("found", "fetched", "not_modified", "stored", "duplicates", "new_versions", "in_review"),
    *("failed", "gone", "refused", "no_article"),
)
"""The columns that are added up."""

site_hours = Table(
    "site_hours",
    metadata,
    # The hour comes first, because every reader wants the latest hours, and the upkeep the oldest.
    Column("hour", UtcDateTime, primary_key=True),
    Column("site", CleanText(NAME_LIMIT), primary_key=True),
    *(Column(name, Integer, nullable=False) for name in NUMBERS),
    Column("newest_article", UtcDateTime),
    # The days of some sites, read from the index alone.
    Index("ix_site_hours_of_site", "site", "hour", "found", "stored", "newest_article"),
)
"""The numbers of a site's crawls in an hour (newscrawl.storage.monitoring.site_hours)."""

site_hour_failures = Table(
    "site_hour_failures",
    metadata,
    Column("hour", UtcDateTime, primary_key=True),
    Column("site", CleanText(NAME_LIMIT), primary_key=True),
    Column("kind", CleanText(NAME_LIMIT), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("day", Date, nullable=False),
    Index(None, "day", "site", "kind", "number"),  # a day in the view `site_failures`
)
"""How often each reason code was the result in an hour."""

site_totals = Table(
    "site_totals",
    metadata,
    Column("site", CleanText(NAME_LIMIT), primary_key=True),
    Column("counted", Code(16), primary_key=True),
    Column("value", CleanText(NAME_LIMIT), primary_key=True),
    Column("number", Integer, nullable=False),
)
"""The totals of a site now (newscrawl.storage.monitoring.site_totals)."""
