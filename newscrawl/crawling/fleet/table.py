"""The live table of a fleet on a terminal: totals, and the sites where something happens, redrawn every second."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from newscrawl.config.logs.console import SafeConsole
from newscrawl.config.logs.lines import is_json
from newscrawl.crawling.fleet.board import Board, SiteRecord
from newscrawl.crawling.fleet.fleet import Fleet
from newscrawl.errors import StorageError
from newscrawl.model.identity.masking import masked
from newscrawl.model.wording import counted

SECONDS: Final = 1.0
"""Seconds between two drawings."""
NEXT_DUE_SECONDS: Final = 15.0
"""Seconds between two updates of the times when sites are due next."""
OTHER_LINES: Final = 6
"""Lines of the screen that are not sites."""
ORDER: Final = {"crawling": 0, "broken": 1, "leased_elsewhere": 2, "budget_reached": 3, "resting": 4, "idle": 5}


def is_terminal() -> bool:
    """Returns whether standard error is a terminal for the table, without a JSON log on it."""
    return sys.stderr.isatty() and not is_json()


async def show(fleet: Fleet) -> None:
    """Draws the table until cancelled."""
    console = SafeConsole(stderr=True, highlight=False)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        while True:
            in_flight = {site: crawl.in_flight for site, crawl in fleet.running.items()}
            lines = shutil.get_terminal_size().lines - OTHER_LINES
            live.update(draw(fleet.board, in_flight, datetime.now(UTC), max(3, lines)), refresh=True)
            await asyncio.sleep(SECONDS)


def draw(board: Board, in_flight: dict[str, int], now: datetime, lines: int) -> Group:
    """Returns the table: sites that are being crawled first, then those with problems, then those due next."""
    table = Table("site", "state", "due", "in flight", "articles/h", "articles", "failures", "next", box=None)
    for record in ranked(list(board.records.values()), now)[:lines]:
        table.add_row(
            record.site,
            record.state,
            str(record.due or ""),
            str(in_flight.get(record.site, "")),
            str(record.articles_hour.total(now) or ""),
            str(record.articles or ""),
            str(record.failures or ""),
            "now" if record.due else until(record.next_due, now),
        )
    due = sum(1 for record in board.records.values() if record.due)
    total = (
        f"{counted(len(board.records), 'site')}, {due} with something due, {len(in_flight)} crawled now, "
        f"{counted(sum(in_flight.values()), 'request')} in flight, "
        f"{counted(board.articles_hour.total(now), 'article')} in the last hour"
    )
    rows: list[Table | Text] = [table, Text(total)]
    if board.problem:
        rows.append(Text(masked(board.problem), style="bold red"))
    rows.append(Text("Ctrl-C to stop", style="dim"))
    return Group(*rows)


def ranked(records: Sequence[SiteRecord], now: datetime) -> list[SiteRecord]:
    """Returns the records in the order of interest."""

    def rank(record: SiteRecord) -> tuple[int, float, str]:
        wait = (record.next_due - now).total_seconds() if record.next_due else float("inf")
        return ORDER.get(record.state, len(ORDER)), 0.0 if record.due else wait, record.site

    return sorted(records, key=rank)


def until(moment: datetime | None, now: datetime) -> str:
    """Returns the time until then in the largest unit: "40 s", "12 min", "3 h"."""
    if moment is None:
        return ""
    seconds = int((moment - now).total_seconds())
    if seconds <= 0:
        return "now"
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"


async def keep_next_due(fleet: Fleet) -> None:
    """Keeps the times of the board when sites are due next up to date."""
    while True:
        try:
            next_due = await asyncio.to_thread(fleet.due.next_due)
        except StorageError:
            next_due = {}  # the tick logs the error
        for site, due in next_due.items():
            fleet.board.record(site).next_due = due
        await asyncio.sleep(NEXT_DUE_SECONDS)
