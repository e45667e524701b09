"""`newscrawl db prune`: removes expired data and completes the work that crawls have postponed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from newscrawl.cli.common.project import required_config
from newscrawl.cli.common.saying import say
from newscrawl.config.derived.retention import SETTING, retention_of
from newscrawl.config.derived.stores import reader_of, store_of
from newscrawl.console import SafeConsole
from newscrawl.crawling.upkeep.database_upkeep import ProgressReport, upkeep_of
from newscrawl.reports.sites import site_names

LABELS: Final = {
    "pages": "pages with expired texts",
    "versions": "expired versions and headlines",
    "texts": "texts that no page shows any longer",
    "events": "expired events, dead letters and pages in review",
    "changes": "changes replaced by later ones",
    "hours": "hours older than 60 days or in the future, with the numbers of each site",
    "processes": "processes that were seen in the future",
    "files": "archive files over the limits of the archive",
    "captures": "captures in these files",
}
"""Descriptions of the counts of newscrawl.crawling.upkeep.database_upkeep."""


@click.command(
    name="prune",
    short_help="Remove expired and unused data.",
    epilog="""\b
Examples:
  newscrawl db prune --dry-run
  NEWSCRAWL_RETENTION='{"*": {"events": 90}, "elpais": {"articles": 30}}' newscrawl db prune""",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
def command(dry_run: bool) -> None:
    """Remove data that is older than NEWSCRAWL_RETENTION allows, and data that is no longer used.

    Every removed text is also removed from the search index, and the feed has a `remove` for it. Crawls may run at the
    same time. If the command is stopped, the next run completes the work. `newscrawl run` does the same once a day.
    """
    config = required_config()
    reading = partial(reader_of, config)
    with reading() as connection:
        unknown = sorted(set(retention_of(config).sites) - set(site_names(connection)))
    if unknown:
        say(f"newscrawl: {SETTING} names {', '.join(unknown)}, but the database has no page of it", err=True)
    with _bar() as report:
        upkeep = replace(upkeep_of(config, datetime.now(UTC)), report=report)
        if dry_run:
            counts = upkeep.look(reading)
        else:
            with store_of(config) as store:
                counts = upkeep.work(store)
    say("\n".join(_lines(counts, dry_run=dry_run)))


def _lines(counts: Counter[str], *, dry_run: bool) -> Iterator[str]:
    done = [f"  {counts[name]:>9,}  {label}" for name, label in LABELS.items() if counts[name]]
    if not done:
        yield "nothing to do"
        return
    yield "this would be done:" if dry_run else "done:"
    yield from done


@contextmanager
def _bar() -> Iterator[ProgressReport]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = SafeConsole(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", visible=False)
        yield lambda doing, done, total: progress.update(
            task, description=doing, completed=done, total=total, visible=True
        )
