"""The table of `newscrawl status`, with the open alarms above it.

It has all numbers on a terminal, and the most important ones in a file or pipe, where `--csv` and `--json` give all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from rich.table import Table
from rich.text import Text

from newscrawl.cli.common.words import say, to_show
from newscrawl.cli.status.lines import alarm_line
from newscrawl.console import SafeConsole
from newscrawl.crawling.runtime.summary import INTERRUPTED
from newscrawl.reports import SiteStatus
from newscrawl.storage.frontier import crawls
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.hours import NOTHING, Activity

TABLE_WIDTH: Final = 190
"""Least width of the table: a long line is better than a cut name."""

COLUMNS: Final = "articles,pages,duplicates,fallback,pending,failed,gone,refused,no article,in review".split(",")
"""Headings of the numbers between a site's name and its last run."""
LAST_DAY: Final = ("new 24 h", "failed 24 h")
"""Headings of the numbers of the last 24 hours."""
NEWEST: Final = ("newest stored", "newest published")
"""Headings of two times: when the newest article was stored, and the newest publication date that a page of the last
seven days states."""


FEW: Final = ("site", "alarm", *LAST_DAY, "in review", *NEWEST, "last run (UTC)")
"""Headings of the table that is no terminal's: a line of it fits an e-mail of cron."""


def show_table(
    statuses: Sequence[SiteStatus],
    alarmed: Sequence[alarms.Alarm],
    days: Mapping[str, Activity],
    published: Mapping[str, datetime],
) -> None:
    """Prints the alarms and the table. `published` has the newest publication of each site."""
    console = SafeConsole(highlight=False, width=max(SafeConsole().width, TABLE_WIDTH))
    for alarm in alarmed:
        colour = "red" if alarm.severity == "critical" else "yellow"
        console.print(Text(to_show(alarm_line(alarm)), colour), soft_wrap=True)
    if console.is_terminal:
        console.print(_table(statuses, days, published), soft_wrap=True)
        return
    for line in few_columns(statuses, alarmed, days, published):
        say(line)


def few_columns(
    statuses: Sequence[SiteStatus],
    alarmed: Sequence[alarms.Alarm],
    days: Mapping[str, Activity],
    published: Mapping[str, datetime],
) -> Iterator[str]:
    """Yields the lines of the table with the columns `FEW`, without blanks at their ends."""
    severities: dict[str, str] = {}
    for alarm in alarmed:
        if severities.get(alarm.site) != "critical":
            severities[alarm.site] = alarm.severity
    rows = [FEW]
    for status in statuses:
        day = days.get(status.site, NOTHING)
        severity = severities.get(status.site, "-")
        numbers = (str(day.stored), str(day.failed), str(status.in_review))
        newest = (_time(day.newest_article) or "-", _time(published.get(status.site)) or "-")
        rows.append((status.site, severity, *numbers, *newest, _run(status.last_run)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _table(statuses: Sequence[SiteStatus], days: Mapping[str, Activity], published: Mapping[str, datetime]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("site", no_wrap=True)
    for column in COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    for column in LAST_DAY:
        table.add_column(column, justify="right", no_wrap=True)
    for column in NEWEST:
        table.add_column(column, no_wrap=True)
    table.add_column("last run (UTC)", no_wrap=True)
    for status in statuses:
        day = days.get(status.site, NOTHING)
        numbers = (status.articles, status.pages, status.duplicates)
        table.add_row(
            status.site,
            *map(str, numbers),
            f"{status.fallback_share:.0%}",
            str(status.pending),
            str(status.failed),
            str(status.gone or ""),
            str(status.refused or ""),
            str(status.no_article or ""),
            str(status.in_review or ""),
            str(day.stored),
            str(day.failed),
            _time(day.newest_article),
            _time(published.get(status.site)),
            _run(status.last_run),
        )
    return table


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at is not None else ""


def _run(run: crawls.CrawlRun | None) -> str:
    if run is None:
        return "never"
    started = f"{run.started:%Y-%m-%d %H:%M}"
    if not run.finished:
        return f"{started}, not finished"
    return f"{started}, interrupted" if run.counters.get(INTERRUPTED) else started
