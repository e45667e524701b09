"""`newscrawl status --csv`: one row for each site."""

from __future__ import annotations

import csv
import sys
from typing import Final

from newscrawl.cli.common.output import BOM
from newscrawl.cli.status.report import StatusReport
from newscrawl.storage.monitoring.hours import NOTHING

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


def write(report: StatusReport, *, bom: bool) -> None:
    """Writes the rows to standard output, with a line of headings. Times are UTC. With `bom` a byte order mark comes
    first."""
    if bom:
        sys.stdout.write(BOM)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([*STATE, *(f"{name}_24h" for name in LAST_DAY), "newest_article", "last_run", "newest_published"])
    for status in report.statuses:
        day = report.days.get(status.site, NOTHING)
        newest = day.newest_article.isoformat() if day.newest_article is not None else ""
        published = report.published.get(status.site)
        run = status.last_run.started.isoformat() if status.last_run is not None else ""
        numbers = [getattr(status, name) for name in STATE] + [getattr(day, name) for name in LAST_DAY]
        writer.writerow([*numbers, newest, run, published.isoformat() if published is not None else ""])
