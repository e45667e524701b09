"""`newscrawl status`: the state of every site in one table. A terminal gets all numbers, a file or pipe the most
important ones; CSV and JSON give all.

`--check` gives one line and an exit code for cron, Nagios and other monitors. The exit codes are those of Nagios'
plugins: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN. It reads open alarms and the numbers by hour; it counts no pages and no
articles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from typing import Final, Literal

import click

from newscrawl.cli.common.output import BOM
from newscrawl.cli.common.project import database_option, named_database, project_reader, required_config
from newscrawl.cli.common.show import Column, show
from newscrawl.cli.common.sites import check_known, check_site
from newscrawl.cli.common.words import asked_line, counted, operator_name, say, to_show
from newscrawl.cli.status_lines import (
    alarm_line,
    archive_lines,
    boilerplate_line,
    controlled_lines,
    failing_line,
    failures_line,
    learning_lines,
    machine_lines,
    refused_line,
    unfetched_addresses,
    walls_line,
)
from newscrawl.crawling.runtime.summary import INTERRUPTED
from newscrawl.errors import MissingDatabase, NewscrawlError, OutputError, UsageError, meant
from newscrawl.model import OBJECT_STORE
from newscrawl.model.jsonable import view
from newscrawl.reports.sites import site_names
from newscrawl.reports.status import SiteStatus, Status, read_status
from newscrawl.reports.views import STATUS_CSV, STATUS_JSON
from newscrawl.storage import machines
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.monitoring import alarms, hours, review_queue
from newscrawl.storage.monitoring.alarms import FLEET, MACHINE
from newscrawl.storage.monitoring.hours import NOTHING, Numbers

Level = Literal["OK", "WARNING", "CRITICAL", "UNKNOWN"]
EXIT_CODES: Final[Mapping[Level, int]] = {"OK": 0, "WARNING": 1, "CRITICAL": 2, "UNKNOWN": 3}
MIN_RESULTS: Final = 20
"""Results of a site in 24 hours from which the share of its failures is judged."""
MAX_REASONS: Final = 3
"""Largest number of reasons in the line."""
DAY: Final = timedelta(hours=24)


@click.command(
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
@click.option("--bom", is_flag=True, help="Begin the CSV with a byte order mark: Excel reads it as UTF-8 then.")
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
    bom: bool,
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
    if bom and not as_csv:
        raise UsageError("--bom belongs to --csv")
    if is_check:
        of_one = timedelta(hours=site_silence) if site_silence is not None else None
        level, line = _checked(site, failed / 100, timedelta(hours=silence), of_one)
        say(line)
        click.get_current_context().exit(EXIT_CODES[level])
    if accept is not None:
        _accept(accept)
        return
    report, nothing = Status(), "nothing has been crawled yet"
    try:
        with project_reader() as connection:
            if site is not None:
                check_known(connection, [site])
            report = read_status(connection, site, datetime.now(UTC))
    except MissingDatabase as error:
        if named_database() is not None:  # a path that the operator gave is wrong, as in every other command
            raise
        nothing = str(error)
    if as_json:
        show(report.sites, TABLE, as_json=partial(view, keys=STATUS_JSON), ascii_only=True)
    elif as_csv:
        click.echo(BOM if bom else "", nl=False)
        show(report.sites, TABLE, as_csv=CSV)
    elif report.sites:
        _show(report, datetime.now(UTC))
    else:
        say(nothing)


def _show(report: Status, now: datetime) -> None:
    """Prints the table and the lines around it."""
    if report.alarms:
        _show_alarms(report.alarms)
    show(report.sites, TABLE, few=FEW, width=WIDTH)
    for one in report.sites:
        if failures := failures_line(one.totals):
            say(f"{one.totals.site}: {failures}")
        if walls := walls_line(one.totals):
            say(walls)
    alone = report.sites[0] if len(report.sites) == 1 else None
    learned = alone.boilerplate if alone is not None else None
    by_consumer = groupby(report.refused_changes, attrgetter("consumer"))
    deleted = [file.name for file in report.archive_files if file.deleted is not None]
    lines = (
        controlled_lines(report.controls, now),
        learning_lines(report.learning),
        [boilerplate_line(alone.totals.site, learned)] if alone is not None and learned is not None else (),
        machine_lines(report.machines),
        (failing_line(source, now) for source in report.failing),
        unfetched_addresses(report),
        (refused_line(name, list(changes)) for name, changes in by_consumer),
        map(asked_line, report.waiting_machines),
        filter(None, [_waiting_files()]),
        archive_lines(_gone_files(report.archive_files), report.damaged_captures, _not_here(deleted)),
    )
    for line in chain.from_iterable(lines):
        say(line)


def _show_alarms(opened: Sequence[alarms.Alarm]) -> None:
    from rich.text import Text  # rich is loaded only where there is an alarm to colour

    from newscrawl.config.logs.console import SafeConsole

    console = SafeConsole(highlight=False)
    for alarm in opened:
        colour = "red" if alarm.severity == "critical" else "yellow"
        console.print(Text(to_show(alarm_line(alarm)), colour), soft_wrap=True)


def _checked(site: str | None, failed: float, silence: timedelta, site_silence: timedelta | None) -> tuple[Level, str]:
    """The result of --check. An error is a result too: a monitor reads only the line and the exit code."""
    now = datetime.now(UTC)
    try:
        with project_reader() as connection:
            days, newest = hours.last_day(connection, now), hours.newest_articles(connection)
            alarmed = alarms.open_alarms(connection)
            gone = sorted(machines.gone(connection))
            if site is not None:
                check_site(site, sorted({*days, *newest, *site_names(connection)}))
    except NewscrawlError as error:
        return "UNKNOWN", f"UNKNOWN: {' '.join(str(error).split())}"
    names = [site] if site is not None else {*days, *newest}
    found = {name: replace(days.get(name, NOTHING), newest_article=newest.get(name)) for name in names}
    if site is not None:
        alarmed = [alarm for alarm in alarmed if alarm.site in {site, FLEET}]
    return check(found, alarmed, now, gone, failed=failed, silence=silence, site_silence=site_silence)


def check(
    sites: Mapping[str, Numbers],
    opened: Sequence[alarms.Alarm],
    now: datetime,
    gone: Sequence[str] = (),
    *,
    failed: float = 0.5,
    silence: timedelta = DAY,
    site_silence: timedelta | None = None,
) -> tuple[Level, str]:
    """Returns the level and the line for these sites, given their last 24 hours with the newest article of any time,
    the open alarms, and the machines that are gone. Pure.

    Not OK are `failed` or more of a site's results in 24 hours (0 to 1), `silence` without a new article of any site,
    and `site_silence` without one of a single site (None: not checked).
    """
    found = [*_of_alarms(opened), *_of_machines(gone, opened), *_of_sites(sites, now, failed, silence, site_silence)]
    reasons = sorted(found, key=lambda reason: -EXIT_CODES[reason[0]])
    if not reasons:
        return "OK", f"OK: {_summary(sites, now)}"
    level = reasons[0][0]
    named = [text for _, text in reasons[:MAX_REASONS]]
    if len(reasons) > MAX_REASONS:
        named.append(f"{len(reasons) - MAX_REASONS} more")
    return level, " ".join(f"{level}: {'; '.join(named)} ({_summary(sites, now)})".split())


def _of_alarms(opened: Sequence[alarms.Alarm]) -> Iterator[tuple[Level, str]]:
    for alarm in opened:
        site = "all sites" if alarm.site == FLEET else alarm.site
        yield "CRITICAL" if alarm.severity == "critical" else "WARNING", f"alarm: {site}: {alarm.message}"


def _of_machines(gone: Sequence[str], opened: Sequence[alarms.Alarm]) -> Iterator[tuple[Level, str]]:
    """No process may be left that could open an alarm."""
    if gone and all(alarm.kind != MACHINE for alarm in opened):
        yield "CRITICAL", f"{counted(len(gone), 'machine is', 'machines are')} gone: {', '.join(gone)}"


def _of_sites(
    sites: Mapping[str, Numbers], now: datetime, failed: float, silence: timedelta, site_silence: timedelta | None
) -> Iterator[tuple[Level, str]]:
    newest = _newest(sites)
    if newest is None:
        yield "WARNING", "no new article was counted yet"
    elif now - newest >= silence:
        yield "CRITICAL", f"no new article for {_span(now - newest)}"
    for name, site in sorted(sites.items()):
        # A page without a text was fetched and failed: it is one result, as in the alarm about a site's extraction.
        unread = sum(number for kind, number in site.codes.items() if kind.startswith("extraction/"))
        results = site.fetched + site.failed - unread + site.gone + site.refused
        if results >= MIN_RESULTS and site.failed >= failed * results:
            yield "WARNING", f"{name}: {site.failed} of {results} requests failed in 24 hours"
        at = site.newest_article
        if site_silence is not None and at is not None and now - at >= site_silence:
            yield "WARNING", f"{name}: no new article for {_span(now - at)}"


def _summary(sites: Mapping[str, Numbers], now: datetime) -> str:
    stored, failed = sum(site.stored for site in sites.values()), sum(site.failed for site in sites.values())
    newest = _newest(sites)
    ago = f", newest stored {_span(now - newest)} ago" if newest is not None else ""
    return (
        f"{counted(len(sites), 'site')}, {counted(stored, 'new article')} and {counted(failed, 'failure')} in 24 hours"
        f"{ago}"
    )


def _newest(sites: Mapping[str, Numbers]) -> datetime | None:
    return max((site.newest_article for site in sites.values() if site.newest_article is not None), default=None)


def _span(span: timedelta) -> str:
    """The time in its largest unit: "40 s", "12 min", "3 h", "4 days"."""
    seconds = max(0, int(span.total_seconds()))
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7_200:
        return f"{seconds // 60} min"
    return f"{seconds // 3_600} h" if seconds < 172_800 else f"{seconds // 86_400} days"


def _accept(site: str) -> None:
    # These load what writes, which a report need not wait for.
    from newscrawl.actions.choices import DATABASE_ALONE, SiteChoice
    from newscrawl.actions.site import ACCEPT
    from newscrawl.config.derived.stores import store_of

    config = required_config()
    with store_of(config) as store:
        closed = ACCEPT.act(store, SiteChoice(site), DATABASE_ALONE, operator_name(), datetime.now(UTC)).found
        kept = store.run(review_queue.counts).result().get(site, 0)
        names = store.run(site_names).result()
    if not closed:
        raise UsageError(f"no alarm of {site!r} is open: {meant(site, names)}`newscrawl status` lists the open ones")
    for alarm in closed:
        say(f"closed: {alarm.place}: {alarm.message}")
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


def _gone_files(files: Sequence[ArchiveFile]) -> list[str]:
    """The archive files that this machine holds and that are not in its folder."""
    if not files:
        return []
    from newscrawl.archive.files import gone
    from newscrawl.crawling.runtime.archive import folder_of, machine_of

    config = required_config()
    folder = folder_of(config)
    return [file.name for file in gone(folder, files, machine_of(config))] if folder is not None else []


def _waiting_files() -> str | None:
    """A line with the number of archive files in this machine's folder that wait for the object store; None without."""
    config = required_config()
    if not config.archive.url.startswith(OBJECT_STORE):
        return None
    from newscrawl.archive.places import FolderPlace
    from newscrawl.crawling.runtime.archive import folder_of

    folder = folder_of(config)
    try:
        files = FolderPlace(folder).listed() if folder is not None and folder.is_dir() else {}
    except OutputError:  # who reads the database may not read the folder
        return None
    if not files:
        return None
    size = sum(file.size for file in files.values()) / 10**9
    number = counted(len(files), "closed file waits", "closed files wait")
    return f"archive: {number} in {folder} for {config.archive.url} ({size:.1f} GB)"


WIDTH: Final = 190
"""Least width of the table: a long line is better than a cut name."""


def _time(at: datetime | None, without: str = "") -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at is not None else without


def _run(one: SiteStatus) -> str:
    run = one.totals.last_run
    if run is None:
        return "never"
    interrupted = ", interrupted" if run.counters.get(INTERRUPTED) else ""
    return f"{_time(run.started)}{interrupted if run.finished else ', not finished'}"


def _severity(one: SiteStatus) -> str:
    """The severity of the worst of its own alarms."""
    own = {alarm.severity for alarm in one.now.alarms}
    return "critical" if "critical" in own else next(iter(own), "-")


_SITE: Final = Column("site", lambda one: one.totals.site, whole=True)
_LAST_DAY: Final = (
    Column("new 24 h", lambda one: one.now.day.stored, right=True, whole=True),
    Column("failed 24 h", lambda one: one.now.day.failed, right=True, whole=True),
)
_LAST_RUN: Final = Column("last run (UTC)", _run, whole=True)
TABLE: Final = (
    _SITE,
    Column("articles", lambda one: one.totals.articles, right=True, whole=True),
    Column("pages", lambda one: one.totals.pages, right=True, whole=True),
    Column("duplicates", lambda one: one.totals.duplicates, right=True, whole=True),
    Column("fallback", lambda one: f"{one.totals.fallback_share:.0%}", right=True, whole=True),
    Column("pending", lambda one: one.totals.pending, right=True, whole=True),
    Column("failed", lambda one: one.totals.failed, right=True, whole=True),
    Column("gone", lambda one: one.totals.gone or None, right=True, whole=True),
    Column("refused", lambda one: one.totals.refused or None, right=True, whole=True),
    Column("no article", lambda one: one.totals.no_article or None, right=True, whole=True),
    Column("in review", lambda one: one.totals.in_review or None, right=True, whole=True),
    *_LAST_DAY,
    Column("newest stored", lambda one: _time(one.now.newest_article), whole=True),
    Column("newest published", lambda one: _time(one.newest_published), whole=True),
    _LAST_RUN,
)
"""`newest stored` is when the newest article was stored, `newest published` the newest publication date that a page of
the last seven days states."""
FEW: Final = (
    _SITE,
    Column("alarm", _severity),
    *_LAST_DAY,
    Column("in review", lambda one: one.totals.in_review),
    Column("newest stored", lambda one: _time(one.now.newest_article, "-")),
    Column("newest published", lambda one: _time(one.newest_published, "-")),
    _LAST_RUN,
)
"""A line with these columns fits an e-mail of cron."""
CSV: Final = tuple(Column(key, value) for key, value in STATUS_CSV)
"""Times are UTC."""
