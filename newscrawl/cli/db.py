"""`newscrawl db`: upgrades and prunes the database, and lists the consumers of its changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from newscrawl.cli.common.project import database_option, project_reader, required_config
from newscrawl.cli.common.show import progress_bar
from newscrawl.cli.common.words import counted, say
from newscrawl.config.derived.retention import SETTING, retention_of
from newscrawl.config.derived.stores import database_of, reader_of, store_of
from newscrawl.crawling.runtime.database_upkeep import ProgressReport, upkeep_of
from newscrawl.reports import publishing
from newscrawl.reports.sites import site_names
from newscrawl.storage import migrations
from newscrawl.storage.feed import consumers

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
"""Descriptions of the counts of newscrawl.crawling.runtime.database_upkeep."""


@click.group(
    epilog="""\b
Examples:
  newscrawl db upgrade                       after an upgrade of newscrawl
  newscrawl db prune --dry-run
  newscrawl db consumers""",
)
def command() -> None:
    """Maintain the database."""


@command.command(
    short_help="Create the tables, or bring them up to date.",
    epilog="""\b
Examples:
  NEWSCRAWL_DATABASE_URL=postgresql://user@host/news newscrawl db upgrade
  newscrawl db upgrade --database postgresql://user@host/news""",
)
@database_option
def upgrade() -> None:
    """Create the tables, or bring those of an older version up to date. Safe to run again."""
    config = required_config()
    before, after = migrations.current_revision(database_of(config)), migrations.HEAD
    store_of(config, upgrade=True).close()
    if before == after:
        say(f"the database's schema is up to date ({after})")
    else:
        say(f"the database's schema was upgraded from {before or 'none'} to {after}")


@command.command(
    name="prune",
    short_help="Remove expired and unused data.",
    epilog="""\b
Examples:
  newscrawl db prune --dry-run
  NEWSCRAWL_RETENTION='{"*": {"events": 90}, "elpais": {"articles": 30}}' newscrawl db prune""",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
def prune(dry_run: bool) -> None:
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
    say("\n".join(_done(counts, dry_run=dry_run)))


@command.command(
    "consumers",
    short_help="List the consumers of the change feed.",
    epilog="""\b
Examples:
  newscrawl db consumers
  newscrawl db consumers --drop webhook:https://example.org/hook""",
)
@click.option(
    "--drop", metavar="NAME", help="Remove this consumer. If it reads the feed again, it starts from the beginning."
)
def list_consumers(drop: str | None) -> None:
    """List the consumers of the change feed and how many changes each has not read. Old changes are removed only after
    every consumer has read them."""
    if drop is not None:
        with store_of(required_config()) as store:
            found = store.run(consumers.drop, drop).result()
        say(f"forgot {drop}" if found else f"no consumer {drop!r}")
        raise SystemExit(0 if found else 1)
    with project_reader() as connection:
        known = publishing.consumers(connection)
    if not known:
        say("no consumer yet: `newscrawl feed` creates one")
    for consumer in known:
        read = f"last read {consumer.updated:%Y-%m-%d %H:%M} UTC"
        aside = f", {counted(consumer.refused, 'refused change')}" if consumer.refused else ""
        say(f"{consumer.name}: {counted(consumer.behind, 'change')} behind, {read}{aside}")


def _done(counts: Mapping[str, int], *, dry_run: bool) -> Iterator[str]:
    done = [f"  {counts[name]:>9,}  {label}" for name, label in LABELS.items() if counts[name]]
    if not done:
        yield "nothing to do"
        return
    yield "this would be done:" if dry_run else "done:"
    yield from done


@contextmanager
def _bar() -> Iterator[ProgressReport]:
    with progress_bar(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()) as progress:
        task = progress.add_task("", visible=False)
        yield lambda doing, done, total: progress.update(
            task, description=doing, completed=done, total=total, visible=True
        )
