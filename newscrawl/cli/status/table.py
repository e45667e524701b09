"""The table of `newscrawl status`, with the open alarms above it, and the same numbers as CSV.

The table has all numbers on a terminal, and the most important ones in a file or pipe, where CSV and JSON give all.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from rich.table import Table
from rich.text import Text

from newscrawl.cli.common.output import BOM
from newscrawl.cli.common.words import say, to_show
from newscrawl.cli.status.lines import alarm_line
from newscrawl.console import SafeConsole
from newscrawl.crawling.runtime.summary import INTERRUPTED
from newscrawl.jsonable import view
from newscrawl.reports.status import SiteStatus
from newscrawl.reports.views import STATUS_CSV
from newscrawl.storage.monitoring.alarms import Alarm

TABLE_WIDTH: Final = 190
"""Least width of the table: a long line is better than a cut name."""


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at is not None else ""


def _run(one: SiteStatus) -> str:
    run = one.totals.last_run
    if run is None:
        return "never"
    started = f"{run.started:%Y-%m-%d %H:%M}"
    if not run.finished:
        return f"{started}, not finished"
    return f"{started}, interrupted" if run.counters.get(INTERRUPTED) else started


def _severity(one: SiteStatus) -> str:
    """The severity of the worst of its own alarms."""
    own = {alarm.severity for alarm in one.now.alarms}
    return "critical" if "critical" in own else next(iter(own), "-")


Cell = Callable[[SiteStatus], object]
_LAST_DAY: Final[dict[str, Cell]] = {
    "new 24 h": lambda one: one.now.day.stored,
    "failed 24 h": lambda one: one.now.day.failed,
}
_NEWEST: Final[dict[str, Cell]] = {
    "newest stored": lambda one: _time(one.now.newest_article),
    "newest published": lambda one: _time(one.newest_published),
}
"""When the newest article was stored, and the newest publication date that a page of the last seven days states."""
NUMBERS: Final[dict[str, Cell]] = {
    "articles": lambda one: one.totals.articles,
    "pages": lambda one: one.totals.pages,
    "duplicates": lambda one: one.totals.duplicates,
    "fallback": lambda one: f"{one.totals.fallback_share:.0%}",
    "pending": lambda one: one.totals.pending,
    "failed": lambda one: one.totals.failed,
    "gone": lambda one: one.totals.gone or "",
    "refused": lambda one: one.totals.refused or "",
    "no article": lambda one: one.totals.no_article or "",
    "in review": lambda one: one.totals.in_review or "",
    **_LAST_DAY,
}
FEW: Final[dict[str, Cell]] = {
    "site": lambda one: one.totals.site,
    "alarm": _severity,
    **_LAST_DAY,
    "in review": lambda one: one.totals.in_review,
    **_NEWEST,
    "last run (UTC)": _run,
}
"""The columns of the table that is no terminal's: a line of it fits an e-mail of cron."""


def show_table(sites: Sequence[SiteStatus], alarmed: Sequence[Alarm]) -> None:
    """Prints the alarms and the table."""
    console = SafeConsole(highlight=False, width=max(SafeConsole().width, TABLE_WIDTH))
    for alarm in alarmed:
        colour = "red" if alarm.severity == "critical" else "yellow"
        console.print(Text(to_show(alarm_line(alarm)), colour), soft_wrap=True)
    if console.is_terminal:
        console.print(_table(sites), soft_wrap=True)
        return
    for line in _few_columns(sites):
        say(line)


def _table(sites: Sequence[SiteStatus]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    columns = {"site": FEW["site"], **NUMBERS, **_NEWEST, "last run (UTC)": _run}
    for head in columns:
        table.add_column(head, justify="right" if head in NUMBERS else "left", no_wrap=True)
    for one in sites:
        table.add_row(*(str(cell(one)) for cell in columns.values()))
    return table


def _few_columns(sites: Sequence[SiteStatus]) -> Iterator[str]:
    """Yields the lines of the table with the columns `FEW`, without blanks at their ends."""
    rows = [list(FEW), *([str(cell(one)) or "-" for cell in FEW.values()] for one in sites)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def write_csv(sites: Sequence[SiteStatus], *, bom: bool) -> None:
    """Writes a row for each site to standard output, with a line of headings. Times are UTC. With `bom` a byte order
    mark comes first."""
    if bom:
        sys.stdout.write(BOM)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(key for key, _ in STATUS_CSV)
    for one in sites:
        cells = view(one, STATUS_CSV).values()
        writer.writerow([cell.isoformat() if isinstance(cell, datetime) else cell for cell in cells])
