"""`newscrawl status`: the state of every site in one table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from newscrawl.cli.options import check_site
from newscrawl.cli.project import database_option, project_reader, required_config
from newscrawl.cli.saying import say, to_show
from newscrawl.cli.words import counted, source_failure
from newscrawl.console import SafeConsole
from newscrawl.crawling.runtime.summary import INTERRUPTED
from newscrawl.errors import MissingDatabase, UsageError, meant
from newscrawl.feed.document import plain
from newscrawl.model import HARMFUL
from newscrawl.scheduling.site_state import SiteDay
from newscrawl.storage.articles import credible_times
from newscrawl.storage.captures import locations
from newscrawl.storage.duplicates import pending
from newscrawl.storage.feed import refused_changes
from newscrawl.storage.frontier import patterns, runs, site_days
from newscrawl.storage.monitoring import alarms, review_queue
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.reports import SiteStatus, SourceStatus, failing_sources, site_names, sites

TABLE_WIDTH = 120
"""Least width of the table: a long line is better than a cut name."""

COLUMNS = "articles,pages,duplicates,fallback,pending,failed,gone,refused,no article,in review".split(",")
"""Headings of the numbers between a site's name and its last run."""

MOST_FAILURES = 5
"""Largest number of kinds of failure that are shown for a site; `--json` has all."""
MOST_FILES = 5
"""Largest number of archive files that are named in one line."""


@click.command(
    name="status",
    short_help="Show alarms and the state of each site.",
    epilog="""\b
Examples:
  newscrawl status
  newscrawl status elpais
  newscrawl status --json | jq '.[] | select(.failed > 0)'
  newscrawl status --accept elpais       close its alarms, learn its baseline again""",
)
@click.argument("site", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print all numbers as a JSON list.")
@click.option(
    "--accept",
    metavar="SITE",
    help="Close the site's alarms and learn its baseline again ('*': the alarms of the whole fleet).",
)
@database_option
def command(*, site: str | None, as_json: bool, accept: str | None) -> None:
    """Show alarms, failing sources, and the articles, duplicates, fallbacks, failures and last run of each site.

    With SITE, only that site is shown. A page counts as failed if it should be readable but could not be fetched or
    read. Pages that are gone (404, 410), that robots.txt refuses, or that are no article, are counted separately, as in
    the table of a crawl and in the log.
    """
    if accept is not None:
        _accept(accept)
        return
    where = ""
    statuses: list[SiteStatus] = []
    failing: list[SourceStatus] = []
    alarmed: list[alarms.Alarm] = []
    refused: Sequence[refused_changes.RefusedChange] = []
    future: dict[str, int] = {}
    unconfirmed: list[str] = []
    waiting = 0
    given_up: Sequence[patterns.GivenUp] = []
    full: dict[str, SiteDay] = {}
    try:
        with project_reader() as connection:
            statuses, failing = sites(connection), failing_sources(connection)
            alarmed = alarms.open_alarms(connection)
            refused = refused_changes.load(connection)
            future = credible_times.pages_of_the_future(connection, datetime.now(UTC))
            unconfirmed = _not_here(locations.to_be_deleted(connection))
            waiting = pending.count(connection)
            given_up = patterns.given_up(connection, site)
            full = site_days.full(connection, datetime.now(UTC), site)
        if site is not None:
            check_site(site, [status.site for status in statuses])
            statuses = [status for status in statuses if status.site == site]
            failing = [source for source in failing if source.site == site]
            alarmed = [alarm for alarm in alarmed if alarm.site in {site, FLEET}]
            future = {name: number for name, number in future.items() if name == site}
    except MissingDatabase as error:
        where = f" ({error})"
    if as_json:
        shown = [_as_object(status, failing, alarmed, future, given_up, full) for status in statuses]
        click.echo(json.dumps(shown, default=plain, indent=2))
    elif statuses:
        _show_table(statuses, alarmed)
        for status in statuses:
            if failures := _failures(status):
                say(f"{status.site}: {failures}")
        for source in failing:
            say(_failing(source))
        for line in _not_asked_for(given_up, full, statuses):
            say(line)
        for consumer, changes in groupby(refused, lambda change: change.consumer):
            say(_refused(consumer, list(changes)))
        _show_unfinished(future, unconfirmed, waiting)
    else:
        say(f"nothing has been crawled yet: try `scrapy crawl demo`{where}")


def _show_table(statuses: list[SiteStatus], alarmed: list[alarms.Alarm]) -> None:
    console = SafeConsole(highlight=False, width=max(SafeConsole().width, TABLE_WIDTH))
    console.print(_table(statuses), soft_wrap=True)
    for alarm in alarmed:
        colour = "red" if alarm.severity == "critical" else "yellow"
        console.print(Text(to_show(_alarm(alarm)), colour), soft_wrap=True)


def _show_unfinished(future: dict[str, int], unconfirmed: list[str], waiting: int) -> None:
    """Shows pages with a visit in the future, archive files not deleted yet, and texts that wait for their stories."""
    for name, number in sorted(future.items()):
        say(f"{name}: {counted(number, 'page has', 'pages have')} a last visit in the future, which counts as unknown")
    if unconfirmed:
        say(_unconfirmed(unconfirmed))
    if waiting:
        texts = f"{counted(waiting, 'text waits', 'texts wait')} for a new decision about their stories"
        say(f"{texts}: `newscrawl run` decides once a day, `newscrawl db prune` now")


def _accept(site: str) -> None:
    from newscrawl.config.derived.stores import store_of
    from newscrawl.crawling.monitoring.watchdog import shown
    from newscrawl.storage.monitoring.checks import accept

    config = required_config()
    with store_of(config) as store:
        closed = store.run(accept, site, datetime.now(UTC)).result()
        kept = store.run(review_queue.counts).result().get(site, 0)
        names = store.run(site_names).result()
    if not closed:
        raise UsageError(f"no alarm of {site!r} is open: {meant(site, names)}`newscrawl status` lists the open ones")
    for alarm in closed:
        say(f"closed: {shown(alarm.site)}: {alarm.message}")
    if kept:
        say(f"{counted(kept, 'page is', 'pages are')} still in review: newscrawl review release --site {site}")


def _not_here(names: Sequence[str]) -> list[str]:
    """The archive files that are not in this machine's folder."""
    if not names:
        return []
    from newscrawl.archive.files import find
    from newscrawl.crawling.runtime.archive import folder_of

    folder = folder_of(required_config())
    return [name for name in names if folder is None or find(folder, name) is None]


def _unconfirmed(names: Sequence[str]) -> str:
    """One line for files that are marked as deleted and may still be on another machine."""
    named = ", ".join(names[:MOST_FILES]) + (", ..." if len(names) > MOST_FILES else "")
    return f"archive: {counted(len(names), 'deleted file')} not on this machine, deletion not confirmed: {named}"


def _as_object(
    status: SiteStatus,
    failing: Sequence[SourceStatus],
    alarmed: Sequence[alarms.Alarm],
    future: Mapping[str, int],
    given_up: Sequence[patterns.GivenUp],
    full: Mapping[str, SiteDay],
) -> dict[str, Any]:
    """The site's numbers. An alarm of the whole fleet is listed for every site."""
    sources = [asdict(source) for source in failing if source.site == status.site]
    of_site = [asdict(alarm) for alarm in alarmed if alarm.site in {status.site, FLEET}]
    traps = [{"pattern": trap.pattern, "since": trap.since} for trap in given_up if trap.site == status.site]
    return asdict(status) | {
        "failing_sources": sources,
        "alarms": of_site,
        "pages_of_the_future": future.get(status.site, 0),
        "patterns_given_up": traps,
        "new_pages_bound_reached": full[status.site].limit_reached if status.site in full else None,
    }


def _alarm(alarm: alarms.Alarm) -> str:
    """One line for an open alarm."""
    from newscrawl.crawling.monitoring.watchdog import shown

    opened = f"{alarm.opened_at:%Y-%m-%d %H:%M}"
    return f"ALARM ({alarm.severity}, {opened} UTC) {shown(alarm.site)}: {alarm.message}"


def _failing(source: SourceStatus) -> str:
    """One line for a failing source. `newscrawl why` with its address has more details."""
    since = f" since {source.failing_since:%Y-%m-%d %H:%M} UTC" if source.failing_since else ""
    why = f"{source_failure(source.failure_kind)} ({source.failures} in a row)"
    rests = source.not_before if source.failure_kind in HARMFUL else None
    until = f", paused until {rests:%Y-%m-%d %H:%M} UTC" if rests else ""
    return f"{source.site}: {source.kind} {source.url} fails{since}: {why}{until}"


def _not_asked_for(
    given_up: Sequence[patterns.GivenUp], full: Mapping[str, SiteDay], statuses: Sequence[SiteStatus]
) -> Iterator[str]:
    """Lines that say why announced pages are not fetched."""
    yield from map(_given_up, given_up)
    pending = {status.site: status.pending for status in statuses}
    for name, day in sorted(full.items()):
        yield _full(day, pending.get(name))


def _given_up(pattern: patterns.GivenUp) -> str:
    """One line for a pattern of addresses that is given up."""
    return (
        f"{pattern.site}: addresses like {pattern.pattern} are given up since {pattern.since:%Y-%m-%d %H:%M} UTC: "
        f"{patterns.ENOUGH} of them brought no new article; one a day is tried"
    )


def _full(day: SiteDay, pending: int | None) -> str:
    """Returns a line saying that a site's limit of new addresses is reached today."""
    asked = counted(day.limit_reached or 0, "address", "addresses")
    wait = counted(pending, "page waits", "pages wait") if pending is not None else "others wait"
    return (
        f"{day.name}: today's (UTC) limit of {asked} never fetched before is reached; {wait}, and the newest will be "
        'fetched first; daily_requests = "unlimited" in the declaration removes the limit'
    )


def _refused(consumer: str, changes: Sequence[refused_changes.RefusedChange]) -> str:
    """One line for the changes that a consumer of the change feed refused."""
    first = changes[0]
    return (
        f"consumer {consumer}: {counted(len(changes), 'refused change')} since {first.at:%Y-%m-%d %H:%M} UTC, "
        f"{first.subject}: {first.reason}; `newscrawl feed SINK --resend` sends them again"
    )


def _table(statuses: list[SiteStatus]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("site", no_wrap=True)
    for column in COLUMNS:
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
            str(status.refused or ""),
            str(status.no_article or ""),
            str(status.in_review or ""),
            _run(status.last_run),
        )
    return table


def _run(run: runs.CrawlRun | None) -> str:
    if run is None:
        return "never"
    started = f"{run.started:%Y-%m-%d %H:%M}"
    if not run.finished:
        return f"{started}, not finished"
    return f"{started}, interrupted" if run.counters.get(INTERRUPTED) else started


def _failures(status: SiteStatus) -> str:
    most = sorted(status.failures.items(), key=lambda pair: (-pair[1], pair[0]))
    named = [f"{kind} {count}" for kind, count in most[:MOST_FAILURES]]
    if status.dead_letters:
        named.append(f"dead letters {status.dead_letters}")
    return ", ".join(named)
