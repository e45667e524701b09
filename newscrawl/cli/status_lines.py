"""The lines around the table of `newscrawl status`: alarms above it, failing sources and pages that are not fetched
below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from newscrawl.cli.common.words import counted, next_visit, source_failure
from newscrawl.crawling.scheduling.rejected_patterns import RejectedPattern
from newscrawl.crawling.scheduling.site_state import SiteControl, SiteDay
from newscrawl.model import HARMFUL
from newscrawl.model.identity.patterns import ALL
from newscrawl.model.walls import COUNTERS, name_of
from newscrawl.monitoring.volume import Learning
from newscrawl.reports.fleet import Machine
from newscrawl.reports.sites import Totals
from newscrawl.reports.sources import Source
from newscrawl.reports.status import Status
from newscrawl.storage.feed import consumers
from newscrawl.storage.frontier import patterns
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.site_models import EpochNumbers

MAX_FAILURES: Final = 5
"""Largest number of kinds of failure that are shown for a site; `--json` has all."""
MAX_SITES: Final = 5
"""Largest number of sites that are named in one line."""
MAX_FILES: Final = 5
"""Largest number of archive files that are named in one line."""


def alarm_line(alarm: alarms.Alarm) -> str:
    """Returns one line for an open alarm."""
    opened = f"{alarm.opened_at:%Y-%m-%d %H:%M}"
    tries = counted(alarm.attempts, "attempt")
    unsent = f" (not sent yet: {tries} failed)" if alarm.attempts and not alarm.open_notified else ""
    return f"ALARM ({alarm.severity}, {opened} UTC) {alarm.place}: {alarm.message}{unsent}"


def failing_line(source: Source, now: datetime) -> str:
    """Returns one line for a failing source. `newscrawl why` with its address has more details."""
    since = f" since {source.failing_since:%Y-%m-%d %H:%M} UTC" if source.failing_since else ""
    why = f"{source_failure(source.failure_kind)} ({source.failures} in a row)"
    rests = source.not_before if source.failure_kind in HARMFUL else None
    until = f", paused until {rests:%Y-%m-%d %H:%M} UTC" if rests else ""
    again = next_visit(source, now)
    return f"{source.site}: {source.kind} {source.url} fails{since}: {why}{until}" + (f", {again}" if again else "")


def unfetched_addresses(report: Status) -> Iterator[str]:
    """Yields lines that say why announced pages are not fetched."""
    yield from map(_given_up, report.given_up)
    yield from map(_of_kind, report.of_kinds)
    pending = {one.totals.site: one.totals.pending for one in report.sites}
    for day in report.full:
        yield _full(day, pending.get(day.name))


def _given_up(pattern: patterns.GivenUp) -> str:
    """One line for a pattern of addresses that is given up."""
    return (
        f"{pattern.site}: addresses like {pattern.pattern} are given up since {pattern.since:%Y-%m-%d %H:%M} UTC: "
        f"{patterns.ENOUGH} of them brought no new article; one a day is tried"
    )


def _of_kind(row: RejectedPattern) -> str:
    """One line for a directory whose pages are of one kind."""
    return (
        f"{row.site}: of new addresses like {row.pattern.replace(ALL, '/*')} about {row.share:.0%} are fetched: the "
        f"last {row.visits} were all {row.kind}"
    )


def _full(day: SiteDay, pending: int | None) -> str:
    """Returns a line saying that a site's limit of new addresses is reached today."""
    asked = counted(day.limit_reached or 0, "address", "addresses")
    wait = counted(pending, "page waits", "pages wait") if pending is not None else "others wait"
    return (
        f"{day.name}: today's (UTC) limit of {asked} never fetched before is reached; {wait}, and the newest will be "
        'fetched first; daily_requests = "unlimited" in the declaration removes the limit'
    )


def refused_line(consumer: str, changes: Sequence[consumers.RefusedChange]) -> str:
    """Returns one line for the changes that a consumer of the change feed refused."""
    first = changes[0]
    return (
        f"consumer {consumer}: {counted(len(changes), 'refused change')} since {first.at:%Y-%m-%d %H:%M} UTC, "
        f"{first.subject}: {first.reason}; `newscrawl feed SINK --resend` sends them again"
    )


def archive_lines(gone: Sequence[str], damaged: int, deleted: Sequence[str]) -> Iterator[str]:
    """Yields lines for archive files of this machine that are gone, for damaged captures, and for `deleted` files of
    which it is not known whether they are deleted everywhere."""
    if gone:
        files = counted(len(gone), "file is", "files are")
        yield f"archive: {files} not in the folder of this machine: {_named(gone)}; `newscrawl doctor` says more"
    if damaged:
        yield f"archive: {counted(damaged, 'damaged capture')}; archived again when the page is fetched again"
    if deleted:
        yield _unconfirmed_line(deleted)


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:MAX_FILES]) + (", ..." if len(names) > MAX_FILES else "")


def _unconfirmed_line(names: Sequence[str]) -> str:
    """Returns one line for files that are marked as deleted and may still be on another machine."""
    named = _named(names)
    return f"archive: {counted(len(names), 'deleted file')} not on this machine, deletion not confirmed: {named}"


def failures_line(status: Totals) -> str:
    most = sorted(status.failures.items(), key=lambda pair: (-pair[1], pair[0]))
    named = [f"{kind} {count}" for kind, count in most[:MAX_FAILURES]]
    if status.dead_letters:
        named.append(f"dead letters {status.dead_letters}")
    return ", ".join(named)


def walls_line(status: Totals) -> str | None:
    """Returns one line for the bot walls that answered the site's last crawl; None without any."""
    counters = status.last_run.counters if status.last_run is not None else {}
    walls = {name: number for name, number in counters.items() if name.startswith(COUNTERS)}
    if not walls:
        return None
    named = ", ".join(f"{name_of(code)} {counted(number, 'time')}" for code, number in sorted(walls.items()))
    return f"{status.site}: bot walls answered the last crawl: {named} (newscrawl why URL says how to ask the owner)"


def boilerplate_line(site: str, numbers: EpochNumbers) -> str:
    """Returns one line for the boilerplate that a site's texts are made without."""
    lines, stories = counted(numbers.lines, "repeated line"), counted(numbers.stories, "story", "stories")
    learned = f"epoch {numbers.epoch}, learned from {stories} on {numbers.learned_at:%Y-%m-%d}"
    return f"{site}: {lines} of its pages left out of texts ({learned})"


def machine_lines(machines: Sequence[Machine]) -> Iterator[str]:
    """Yields lines for the processes that crawl: where each runs, and what it crawls now."""
    for machine in machines:
        for process in machine.processes:
            named = ", ".join(process.sites[:MAX_SITES]) + (", ..." if len(process.sites) > MAX_SITES else "")
            crawls = f"crawls {counted(len(process.sites), 'site')} now: {named}" if named else "crawls no site now"
            seen = f"last seen {process.last_seen:%Y-%m-%d %H:%M:%S} UTC"
            state = "is GONE, " if machine.state == "gone" else ""
            yield f"machine {machine.name} {state}{process.role} (process {process.number}), {seen}, {crawls}"


def controlled_lines(controls: Sequence[SiteControl], now: datetime) -> Iterator[str]:
    """Yields lines about the sites that commands paused, or whose priority or budget they set."""
    for control in controls:
        site = control.site
        if control.is_paused(now):
            until = (
                f"until {control.paused_until:%Y-%m-%d %H:%M} UTC" if control.paused_until else "until it is resumed"
            )
            yield f"{site}: paused {until}; `newscrawl resume {site}` ends the pause"
        if control.priority is not None:
            yield f"{site}: priority {control.priority:g}; `newscrawl priority {site} --default` removes it"
        if control.daily_requests is not None:
            asked = control.daily_requests
            yield f"{site}: budget of {asked} requests a day; `newscrawl budget {site} --default` removes it"


def learning_lines(learning: Mapping[str, Learning]) -> Iterator[str]:
    """Yields lines that say from when alarms of new sites about missing articles are reliable. Many sites share a
    line."""
    by_text: dict[str, list[str]] = {}
    for site, known in sorted(learning.items()):
        by_text.setdefault(_learns(known), []).append(site)
    for text, names in by_text.items():
        more = f" and {len(names) - MAX_SITES} others" if len(names) > MAX_SITES else ""
        yield f"{', '.join(names[:MAX_SITES])}{more}: {text}"


def _learns(known: Learning) -> str:
    if known.cautious_from is None or known.full_from is None:
        return "no alarms for missing articles yet: the watchdog needs articles from later crawls"
    full = f"{known.full_from:%Y-%m-%d %H:00} UTC"
    if known.is_cautious:
        return f"alarms about missing articles come late, and none at weekends, until {full}: the site is new"
    begin = f"{known.cautious_from:%Y-%m-%d %H:00} UTC"
    days = f"{known.hours / 24:.1f} days and {counted(known.articles, 'article')} counted"
    return f"no alarm about missing articles before {begin}, usual ones from {full}: the site is new ({days})"
