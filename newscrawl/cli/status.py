"""`newscrawl status`: the state of every site in one table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby
from typing import Any

import click

from newscrawl.cli.known_sites import check_known
from newscrawl.cli.options import check_site
from newscrawl.cli.project import database_option, project_reader, required_config
from newscrawl.cli.saying import say
from newscrawl.cli.status_check import Checked, Thresholds, check
from newscrawl.cli.status_lines import (
    controlled_lines,
    failing_line,
    failures_line,
    learning_lines,
    machine_lines,
    not_asked_for,
    old_entries_line,
    refused_line,
    unconfirmed_line,
)
from newscrawl.cli.status_table import show_table
from newscrawl.cli.words import asked_line, counted
from newscrawl.config.derived.stores import database_of
from newscrawl.errors import MissingDatabase, NewscrawlError, UsageError, meant
from newscrawl.feed.document import plain
from newscrawl.model import OBJECT_STORE
from newscrawl.monitoring.learning import Learning
from newscrawl.scheduling.site_control import SiteControl
from newscrawl.scheduling.site_state import SiteDay
from newscrawl.search.looking import old_entries
from newscrawl.storage import Connection
from newscrawl.storage.articles import credible_times
from newscrawl.storage.captures import removals, replaced_files
from newscrawl.storage.crawls import site_controls
from newscrawl.storage.duplicates import pending
from newscrawl.storage.feed import refused_changes
from newscrawl.storage.frontier import patterns, site_days
from newscrawl.storage.machines import registered
from newscrawl.storage.monitoring import alarms, baselines, review_queue, site_hours
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.monitoring.site_hours import Activity
from newscrawl.storage.reports import (
    CrawlingMachine,
    SiteStatus,
    SourceStatus,
    crawling_machines,
    failing_sources,
    site_names,
    sites,
)


@click.command(
    name="status",
    short_help="Show alarms and the state of each site.",
    epilog="""\b
Examples:
  newscrawl status
  newscrawl status elpais
  newscrawl status --json | jq '.[] | select(.failed > 0)'
  newscrawl status --csv > sites.csv
  newscrawl status --check --failed 30   one line and an exit code, for cron and Nagios
  newscrawl status --accept elpais       close its alarms, learn its baseline again""",
)
@click.argument("site", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print all numbers as a JSON list.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the numbers as CSV, a row for each site.")
@click.option(
    "--check", "is_check", is_flag=True, help="Print one line, and exit with 0, 1, 2 or 3 as a Nagios plugin does."
)
@click.option(
    "--failed",
    type=click.IntRange(1, 100),
    default=50,
    show_default=True,
    metavar="PERCENT",
    help="With --check: warn if PERCENT or more of a site's requests failed in 24 hours.",
)
@click.option(
    "--no-article",
    "silence",
    type=click.IntRange(1),
    default=24,
    show_default=True,
    metavar="HOURS",
    help="With --check: critical if no site had a new article for HOURS.",
)
@click.option(
    "--site-no-article",
    "site_silence",
    type=click.IntRange(1),
    metavar="HOURS",
    help="With --check: warn if one site had no new article for HOURS.",
)
@click.option(
    "--accept",
    metavar="SITE",
    help="Close the site's alarms and learn its baseline again ('*': the alarms of the whole fleet).",
)
@database_option
def command(
    *,
    site: str | None,
    as_json: bool,
    as_csv: bool,
    is_check: bool,
    failed: int,
    silence: int,
    site_silence: int | None,
    accept: str | None,
) -> None:
    """Show alarms, failing sources, and the articles, duplicates, fallbacks, failures and last run of each site.

    With SITE, only that site is shown. A page counts as failed if it should be readable but could not be fetched or
    read. Pages that are gone (404, 410), that robots.txt refuses, or that are no article, are counted separately, as in
    the table of a crawl and in the log. "24 h" are the current hour and the 23 before it.

    --check reads only alarms and the numbers of the last 24 hours. It exits with 0 (OK), 1 (WARNING: an alarm, or many
    failures), 2 (CRITICAL: a critical alarm, or no new article at all) or 3 (UNKNOWN: the database cannot be read).
    """
    if as_json + as_csv + is_check > 1:
        raise UsageError("options --json, --csv and --check: give one of them")
    if is_check:
        limit = timedelta(hours=site_silence) if site_silence is not None else None
        checked = _checked(site, Thresholds(failed / 100, timedelta(hours=silence), limit))
        say(checked.line)
        click.get_current_context().exit(checked.exit_code)
    if accept is not None:
        _accept(accept)
        return
    where = ""
    statuses: list[SiteStatus] = []
    failing: list[SourceStatus] = []
    alarmed: list[alarms.Alarm] = []
    refused: Sequence[refused_changes.RefusedChange] = []
    future: dict[str, int] = {}
    asked: list[removals.WaitingMachine] = []
    unconfirmed: list[str] = []
    waiting = 0
    given_up: Sequence[patterns.GivenUp] = []
    full: dict[str, SiteDay] = {}
    days: dict[str, Activity] = {}
    controls: dict[str, SiteControl] = {}
    learning: dict[str, Learning] = {}
    machines: list[CrawlingMachine] = []
    old = 0
    try:
        with project_reader() as connection:
            statuses, failing = _numbers(connection, site), failing_sources(connection)
            alarmed = alarms.open_alarms(connection)
            refused = refused_changes.load(connection)
            future = credible_times.pages_of_the_future(connection, datetime.now(UTC))
            asked = removals.waiting(connection)
            unconfirmed = _not_here(replaced_files.to_be_deleted(connection))
            waiting = pending.count(connection)
            given_up = patterns.given_up(connection, site)
            full = site_days.full(connection, datetime.now(UTC), site)
            days = site_hours.last_day(connection, datetime.now(UTC))
            controls = site_controls.load(connection, site)
            learning = baselines.learning(connection, site)
            machines = crawling_machines(connection)
        old = old_entries(database_of(required_config()))
        if site is not None:
            failing = [source for source in failing if source.site == site]
            alarmed = [alarm for alarm in alarmed if alarm.site in {site, FLEET}]
            future = {name: number for name, number in future.items() if name == site}
    except MissingDatabase as error:
        where = f" ({error})"
    if as_json:
        shown = [
            _as_object(status, failing, alarmed, future, given_up, full, days, controls, learning)
            for status in statuses
        ]
        owners = _owners(machines)
        shown = [numbers | {"crawled_by": owners.get(numbers["site"])} for numbers in shown]
        click.echo(json.dumps(shown, default=plain, indent=2))
    elif as_csv:
        from newscrawl.cli import status_csv

        status_csv.write(statuses, days)
    elif statuses:
        show_table(statuses, alarmed, days)
        for status in statuses:
            if failures := failures_line(status):
                say(f"{status.site}: {failures}")
        lines = (
            controlled_lines(controls, datetime.now(UTC)),
            learning_lines(learning),
            machine_lines(machines),
            map(failing_line, failing),
            not_asked_for(given_up, full, statuses),
        )
        for line in chain.from_iterable(lines):
            say(line)
        for consumer, changes in groupby(refused, lambda change: change.consumer):
            say(refused_line(consumer, list(changes)))
        for machine in asked:
            say(asked_line(machine))
        if of_archive := _waiting_files():
            say(of_archive)
        _show_unfinished(future, unconfirmed, waiting, old)
    else:
        say(f"nothing has been crawled yet: try `scrapy crawl demo`{where}")


def _owners(machines: Sequence[CrawlingMachine]) -> dict[str, dict[str, str]]:
    """The machine and the process that crawl each site now."""
    return {
        site: {"machine": machine.name, "process": process.process}
        for machine in machines
        for process in machine.processes
        for site in process.sites
    }


def _numbers(connection: Connection, site: str | None) -> list[SiteStatus]:
    """The numbers of all sites, or of one, which must be known."""
    if site is not None:
        check_known(connection, [site])
    return sites(connection, site)


def _checked(site: str | None, thresholds: Thresholds) -> Checked:
    """The result of --check. An error is a result too: a monitor reads only the line and the exit code."""
    now = datetime.now(UTC)
    try:
        with project_reader() as connection:
            days = site_hours.last_day(connection, now)
            alarmed = alarms.open_alarms(connection)
            gone = sorted(registered.gone(connection))
            if site is not None:
                check_site(site, sorted({*days, *site_names(connection)}))
    except NewscrawlError as error:
        return Checked("UNKNOWN", f"UNKNOWN: {' '.join(str(error).split())}")
    if site is not None:
        days = {site: days.get(site, Activity())}
        alarmed = [alarm for alarm in alarmed if alarm.site in {site, FLEET}]
    return check(days, alarmed, now, thresholds, gone)


def _show_unfinished(future: dict[str, int], unconfirmed: list[str], waiting: int, old: int) -> None:
    """Shows pages with a visit in the future, archive files not deleted yet, texts that wait for their stories, and old
    entries of the search index."""
    for name, number in sorted(future.items()):
        say(f"{name}: {counted(number, 'page has', 'pages have')} a last visit in the future, which counts as unknown")
    if unconfirmed:
        say(unconfirmed_line(unconfirmed))
    if waiting:
        texts = f"{counted(waiting, 'text waits', 'texts wait')} for a new decision about their stories"
        say(f"{texts}: `newscrawl run` decides once a day, `newscrawl db prune` now")
    if old:
        say(old_entries_line(old))


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


def _waiting_files() -> str | None:
    """A line with the number of archive files in this machine's folder that wait for the object store; None without."""
    config = required_config()
    if not config.archive.url.startswith(OBJECT_STORE):
        return None
    from newscrawl.archive.stores.closed_files import FolderFiles
    from newscrawl.crawling.runtime.archive import folder_of

    folder = folder_of(config)
    files = FolderFiles(folder).listed() if folder is not None else {}
    if not files:
        return None
    size = sum(file.size for file in files.values()) / 10**9
    number = counted(len(files), "closed file waits", "closed files wait")
    return f"archive: {number} in {folder} for {config.archive.url} ({size:.1f} GB)"


def _as_object(
    status: SiteStatus,
    failing: Sequence[SourceStatus],
    alarmed: Sequence[alarms.Alarm],
    future: Mapping[str, int],
    given_up: Sequence[patterns.GivenUp],
    full: Mapping[str, SiteDay],
    days: Mapping[str, Activity],
    controls: Mapping[str, SiteControl],
    learning: Mapping[str, Learning],
) -> dict[str, Any]:
    """The site's numbers. An alarm of the whole fleet is listed for every site."""
    sources = [asdict(source) for source in failing if source.site == status.site]
    of_site = [asdict(alarm) for alarm in alarmed if alarm.site in {status.site, FLEET}]
    traps = [{"pattern": trap.pattern, "since": trap.since} for trap in given_up if trap.site == status.site]
    day = asdict(days.get(status.site, Activity()))
    return asdict(status) | {
        "newest_article": day.pop("newest_article"),
        "last_24_hours": day,
        "control": asdict(controls[status.site]) if status.site in controls else None,
        "watchdog_learns": asdict(learning[status.site]) if status.site in learning else None,
        "failing_sources": sources,
        "alarms": of_site,
        "pages_of_the_future": future.get(status.site, 0),
        "patterns_given_up": traps,
        "new_pages_bound_reached": full[status.site].limit_reached if status.site in full else None,
    }
