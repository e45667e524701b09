"""`newscrawl status --csv`: one row for each site."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Mapping
from typing import Final

from newscrawl.cli.common.output import BOM
from newscrawl.storage.monitoring.site_hours import Activity
from newscrawl.storage.reports import SiteStatus

STATE: Final = (
    *("site", "pages", "articles", "duplicates", "pending", "failed", "gone", "refused", "no_article", "in_review"),
    "dead_letters",
)
"""Columns of SiteStatus."""
LAST_DAY: Final = (
    *("found", "fetched", "not_modified", "stored", "duplicates", "new_versions", "in_review"),
    *("failed", "gone", "refused", "no_article"),
)
"""Columns of the last 24 hours, which have the ending `_24h`."""


def write(statuses: Iterable[SiteStatus], days: Mapping[str, Activity], *, bom: bool) -> None:
    """Writes the rows to standard output, with a line of headings. Times are UTC. With `bom` a byte order mark comes
    first."""
    if bom:
        sys.stdout.write(BOM)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*STATE, *(f"{name}_24h" for name in LAST_DAY), "newest_article", "last_run"])
    for status in statuses:
        day = days.get(status.site, Activity())
        newest = day.newest_article.isoformat() if day.newest_article is not None else ""
        run = status.last_run.started.isoformat() if status.last_run is not None else ""
        numbers = [getattr(status, name) for name in STATE] + [getattr(day, name) for name in LAST_DAY]
        writer.writerow([*numbers, newest, run])
