"""`newscrawl status`: every site's health in one table."""

from __future__ import annotations

import json
from dataclasses import asdict

import click
from rich.console import Console
from rich.table import Table

from newscrawl.cli.project import open_project_store
from newscrawl.storage import runs
from newscrawl.storage.reports import SiteStatus, sites

TABLE_WIDTH = 120
"""Columns that the table may take where the output is narrower: better a long line than a cut name."""

MOST_FAILURES = 5
"""Kinds of failure named of a site; `--json` has them all."""


@click.command(
    name="status",
    epilog="""\b
Examples:
  newscrawl status
  newscrawl status --json | jq '.[] | select(.failed > 0)'""",
)
@click.option("--json", "as_json", is_flag=True, help="All numbers, as a JSON list.")
def command(as_json: bool) -> None:
    """Show each site's articles, last run, duplicates, fallbacks and failures."""
    with open_project_store() as store, store.reading() as connection:
        statuses = sites(connection)
    if as_json:
        click.echo(json.dumps([asdict(status) for status in statuses], default=str, indent=2))
    elif statuses:
        console = Console(highlight=False)
        console.print(_table(statuses), soft_wrap=True, width=max(console.width, TABLE_WIDTH))
        for status in statuses:
            if failures := _failures(status):
                click.echo(f"{status.site}: {failures}")
    else:
        click.echo("nothing has been crawled yet: try `scrapy crawl demo`")


def _table(statuses: list[SiteStatus]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("site", no_wrap=True)
    for column in ("articles", "pages", "duplicates", "fallback", "pending", "failed"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("last run (UTC)", no_wrap=True)
    for status in statuses:
        numbers = (status.articles, status.pages, status.duplicates)
        table.add_row(
            status.site,
            *map(str, numbers),
            f"{status.fallback_share:.0%}",
            str(status.pending),
            str(status.failed + status.gone),
            _run(status.last_run),
        )
    return table


def _run(run: runs.Run | None) -> str:
    if run is None:
        return "never"
    started = f"{run.started:%Y-%m-%d %H:%M}"
    return started if run.finished else f"{started}, no end"


def _failures(status: SiteStatus) -> str:
    most = sorted(status.failures.items(), key=lambda pair: (-pair[1], pair[0]))
    named = [f"{kind} {count}" for kind, count in most[:MOST_FAILURES]]
    if status.quarantined:
        named.append(f"quarantined {status.quarantined}")
    return ", ".join(named)
