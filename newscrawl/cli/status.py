"""`newscrawl status`: every site's health in one table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from newscrawl.cli.options import check_site
from newscrawl.cli.project import project_reader, required_settings
from newscrawl.cli.words import counted
from newscrawl.crawling import watchdog
from newscrawl.crawling.services import store_of
from newscrawl.crawling.summary import INTERRUPTED
from newscrawl.crawling.watch_check import accept
from newscrawl.errors import MissingDatabase, UsageError
from newscrawl.feed.document import plain
from newscrawl.storage import alarms, held, runs
from newscrawl.storage.baselines import FLEET
from newscrawl.storage.reports import SiteStatus, SourceStatus, failing_sources, sites

TABLE_WIDTH = 120
"""Columns that the table may take where the output is narrower: better a long line than a cut name."""

MOST_FAILURES = 5
"""Kinds of failure named of a site; `--json` has them all."""


@click.command(
    name="status",
    short_help="Alarms, and how each site does.",
    epilog="""\b
Examples:
  newscrawl status
  newscrawl status elpais
  newscrawl status --json | jq '.[] | select(.failed > 0)'
  newscrawl status --accept elpais       it is now as it is: its alarms are over""",
)
@click.argument("site", required=False)
@click.option("--json", "as_json", is_flag=True, help="All numbers, as a JSON list.")
@click.option(
    "--accept",
    metavar="SITE",
    help="Close the site's alarms and take what it does from now on as usual ('*' for the fleet's).",
)
def command(*, site: str | None, as_json: bool, accept: str | None) -> None:
    """Show alarms, each site's articles, last run, duplicates, fallbacks and failures, and the sources that fail.

    Of all sites, or of SITE alone. Pages that are gone (404, 410) are counted apart from those that failed.
    """
    if accept is not None:
        _accept(accept)
        return
    where = ""
    statuses: list[SiteStatus] = []
    failing: list[SourceStatus] = []
    alarmed: list[alarms.Alarm] = []
    try:
        with project_reader() as connection:
            statuses, failing = sites(connection), failing_sources(connection)
            alarmed = alarms.open_alarms(connection)
        if site is not None:
            check_site(site, [status.site for status in statuses])
            statuses = [status for status in statuses if status.site == site]
            failing = [source for source in failing if source.site == site]
            alarmed = [alarm for alarm in alarmed if alarm.site in {site, FLEET}]
    except MissingDatabase as error:
        where = f" ({error})"
    if as_json:
        click.echo(json.dumps([_as_object(status, failing, alarmed) for status in statuses], default=plain, indent=2))
    elif statuses:
        console = Console(highlight=False, width=max(Console().width, TABLE_WIDTH))
        console.print(_table(statuses), soft_wrap=True)
        for alarm in alarmed:
            click.secho(_alarm(alarm), fg="red" if alarm.severity == "critical" else "yellow")
        for status in statuses:
            if failures := _failures(status):
                click.echo(f"{status.site}: {failures}")
        for source in failing:
            click.echo(_failing(source))
    else:
        click.echo(f"nothing has been crawled yet: try `scrapy crawl demo`{where}")


def _accept(site: str) -> None:
    settings = required_settings()
    with store_of(settings) as store:
        closed = store.run(accept, site, datetime.now(UTC)).result()
        kept = store.run(held.counts).result().get(site, 0)
    if not closed:
        raise UsageError(f"no alarm of {site!r} is open: `newscrawl status` shows those that are")
    for alarm in closed:
        click.echo(f"over: {watchdog.shown(alarm.site)}: {alarm.message}")
    if kept:
        click.echo(f"{counted(kept, 'page is', 'pages are')} still held back: newscrawl held --release --site {site}")


def _as_object(status: SiteStatus, failing: Sequence[SourceStatus], alarmed: Sequence[alarms.Alarm]) -> dict[str, Any]:
    """The site's numbers; an alarm of the whole fleet is every site's."""
    sources = [asdict(source) for source in failing if source.site == status.site]
    of_site = [asdict(alarm) for alarm in alarmed if alarm.site in {status.site, FLEET}]
    return asdict(status) | {"failing_sources": sources, "alarms": of_site}


def _alarm(alarm: alarms.Alarm) -> str:
    """An open alarm in one line."""
    opened = f"{alarm.opened_at:%Y-%m-%d %H:%M}"
    return f"ALARM ({alarm.severity}, {opened} UTC) {watchdog.shown(alarm.site)}: {alarm.message}"


def _failing(source: SourceStatus) -> str:
    """A source that fails, in one line: `why` with its address tells more."""
    since = f" since {source.failing_since:%Y-%m-%d %H:%M} UTC" if source.failing_since else ""
    return f"{source.site}: {source.kind} {source.url} fails{since}: {source.failure_kind} ({source.failures} in a row)"


def _table(statuses: list[SiteStatus]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("site", no_wrap=True)
    for column in ("articles", "pages", "duplicates", "fallback", "pending", "failed", "gone", "held"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("last run (UTC)", no_wrap=True)
    for status in statuses:
        numbers = (status.articles, status.pages, status.duplicates)
        table.add_row(
            status.site,
            *map(str, numbers),
            f"{status.fallback_share:.0%}",
            str(status.pending),
            str(status.failed),
            str(status.gone or ""),
            str(status.held or ""),
            _run(status.last_run),
        )
    return table


def _run(run: runs.Run | None) -> str:
    if run is None:
        return "never"
    started = f"{run.started:%Y-%m-%d %H:%M}"
    if not run.finished:
        return f"{started}, no end"
    return f"{started}, interrupted" if run.counters.get(INTERRUPTED) else started


def _failures(status: SiteStatus) -> str:
    most = sorted(status.failures.items(), key=lambda pair: (-pair[1], pair[0]))
    named = [f"{kind} {count}" for kind, count in most[:MOST_FAILURES]]
    if status.quarantined:
        named.append(f"quarantined {status.quarantined}")
    return ", ".join(named)
