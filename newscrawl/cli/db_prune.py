"""`newscrawl db prune`: take away what is too old, and do what crawls have left to be done."""

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

from newscrawl.cli.project import required_config
from newscrawl.cli.saying import say
from newscrawl.config.derived.retention import SETTING, retention_of
from newscrawl.config.derived.stores import reader_of, store_of
from newscrawl.console import SafeConsole
from newscrawl.crawling.runtime.maintenance import Tell, upkeep_of
from newscrawl.storage.reports import site_names

SAID: Final = {
    "pages": "pages whose texts are too old",
    "versions": "earlier versions and headlines that are too old",
    "texts": "texts that no page is left of",
    "unused": "texts of no page, from extractions that were replaced",
    "events": "events, dead letters and pages in review that are too old",
    "future": "pages and sources last read at a time of the future, to be visited now",
    "signatures": "texts from before there were near-duplicates, looked for copies of",
    "stories": "texts whose stories are decided again",
    "fronts": "articles whose stories' first pages are chosen again",
    "changes": "changes that later ones made needless",
    "files": "files of the archive over its budget",
    "captures": "captures of the archive over its budget",
}
"""The counts of crawling.upkeep, for people."""


@click.command(
    name="prune",
    short_help="Remove what is too old or needed no longer.",
    epilog="""\b
Examples:
  newscrawl db prune --dry-run
  NEWSCRAWL_RETENTION='{"*": {"events": 90}, "elpais": {"articles": 30}}' newscrawl db prune""",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
def command(dry_run: bool) -> None:
    """Remove what NEWSCRAWL_RETENTION says is too old, and what nothing needs any longer.

    Consumers of the feed and the search index are told of every text that goes. Crawls may run at the same time. If it
    is stopped, the next run does the rest. `newscrawl run` does this once a day.
    """
    config = required_config()
    reading = partial(reader_of, config)
    with reading() as connection:
        unknown = sorted(set(retention_of(config).sites) - set(site_names(connection)))
    if unknown:
        say(f"newscrawl: {SETTING} names {', '.join(unknown)}, of which the database has no page", err=True)
    with _bar() as tell:
        upkeep = replace(upkeep_of(config, datetime.now(UTC)), tell=tell)
        if dry_run:
            counts = upkeep.look(reading)
        else:
            with store_of(config) as store:
                counts = upkeep.work(store)
    say("\n".join(_lines(counts, dry_run=dry_run)))


def _lines(counts: Counter[str], *, dry_run: bool) -> Iterator[str]:
    done = [f"  {counts[name]:>9,}  {said}" for name, said in SAID.items() if counts[name]]
    if not done:
        yield "nothing to do"
        return
    yield "this would be done:" if dry_run else "done:"
    yield from done


@contextmanager
def _bar() -> Iterator[Tell]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = SafeConsole(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", visible=False)
        yield lambda doing, done, total: progress.update(
            task, description=doing, completed=done, total=total, visible=True
        )
