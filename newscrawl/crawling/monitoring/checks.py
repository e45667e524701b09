"""One look of the watchdog: what pages came to is taken in, what is due is judged, alarms are opened and closed.

`check` is one storage operation, so that what it reads and the alarms it opens belong together. What it decides is in
newscrawl.monitoring.volume_baseline and watch_pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from newscrawl.crawling.monitoring.review_gate import EXTRACTION, take_in
from newscrawl.monitoring.extraction_baseline import (
    NOT_BELIEVED,
    Pages,
    commonest_failure,
    judge_pages,
    usual_length,
)
from newscrawl.monitoring.volume_baseline import Quiet, Volume, judge_volume
from newscrawl.scheduling.clock_skew import HOSTS, Skew
from newscrawl.storage.frontier import coverage
from newscrawl.storage.monitoring import alarms, baselines
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.monitoring.baselines import FLEET, Baseline, Observation
from newscrawl.wording import counted

QUIET: Final = "quiet"
AGAIN: Final = timedelta(minutes=30)
"""A site of which nothing is heard is judged so often: volume is counted by hours."""
MOST_SITES: Final = 20
"""Sites judged by one check, besides those with new pages; one takes about a millisecond of the writer's time, which
others wait for."""
MOST_PAGES: Final = 1_000
JUDGED_TOGETHER: Final = 10
"""Pages of a site."""
LATE: Final = 2.0
"""A site that was not crawled for so many times its usual pause is judged all the same: it is quiet, whoever is at
fault."""
LEAST_LATE: Final = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class Watching:
    """Who looks. `up_since`: when this process began to crawl continuously; None for a crawl that has just ended, of
    `site`, which is "" when it was not whole. `declared` are the sites to be judged (None: all), `asleep` those that
    are paused or in quiet hours."""

    site: str | None = None
    up_since: datetime | None = None
    declared: Collection[str] | None = None
    asleep: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class News:
    """Alarms that this check opened and closed."""

    opened: tuple[Alarm, ...] = ()
    closed: tuple[Alarm, ...] = ()
    more: bool = False
    """Whether there was more to do than one check does."""


def check(connection: Any, now: datetime, watching: Watching = Watching()) -> News:
    """A storage operation: takes in what pages came to, judges what is due, opens and closes alarms."""
    taken = baselines.take(connection, MOST_PAGES)
    observed, due = _by_site(taken), baselines.due(connection, now, MOST_SITES)
    names = {*observed, *due} - {FLEET}
    if watching.site is not None:
        names = {*observed, *filter(None, [watching.site])}
    rows = baselines.load(connection, {*names, FLEET})
    judge = _Judge(connection, now, watching)
    fleet = rows.get(FLEET, Baseline(FLEET, now))
    volume = Volume.read(fleet.volume)
    for found in (one for pages in observed.values() for one in pages if one.is_new):
        volume.add(found.at, found.published)
    level = judge.fleet(volume, baselines.crawled(connection, names))
    written = [replace(fleet, volume=volume.written(), next_check=now + AGAIN)]
    for name in sorted(names):
        row = rows.get(name, Baseline(name, now))
        written.append(judge.site(row, observed.get(name, ()), level))
    baselines.save(connection, written)
    more = len(taken) == MOST_PAGES or (watching.site is None and len(due) == MOST_SITES)
    return News(tuple(judge.opened), tuple(judge.closed), more)


def judge_clock(connection: Any, now: datetime, skew: Skew, machine: str) -> News:
    """A storage operation: opens the alarm that this machine's clock is wrong, or closes it.

    The database may be shared: an alarm is closed by the machine that opened it, or by `newscrawl status --accept`.
    """
    open_ones = [alarm for alarm in alarms.open_alarms(connection, FLEET) if alarm.kind == alarms.CLOCK]
    if skew.suspected and not open_ones:
        details = {"machine": machine, "seconds_ahead": round(skew.ahead.total_seconds())}
        new = Alarm(FLEET, alarms.CLOCK, "critical", now, now, _said_of_clock(skew, machine), details)
        return News(opened=(alarms.begin(connection, new),))
    closed = []
    for alarm in open_ones:
        if not skew.suspected and alarm.id is not None and alarm.details.get("machine") == machine:
            alarms.end(connection, alarm.id, now)
            closed.append(replace(alarm, closed_at=now))
    return News(closed=tuple(closed))


class _Judge:
    """One check: what it looks at and what it has found."""

    def __init__(self, connection: Any, now: datetime, watching: Watching) -> None:
        self._connection = connection
        self._now = now
        self._watching = watching
        self._open = {(alarm.site, alarm.kind): alarm for alarm in alarms.open_alarms(connection)}
        self._crawled: dict[str, datetime] = {}
        self.opened: list[Alarm] = []
        self.closed: list[Alarm] = []

    def fleet(self, volume: Volume, crawled: dict[str, datetime]) -> float:
        """Judges all sites together; how much of its usual volume the fleet has now."""
        self._crawled = crawled
        if self._watching.up_since is None:
            return 1.0
        self._advance(FLEET, volume)
        quiet = judge_volume(volume)
        self._settle(FLEET, QUIET, quiet, _said_of_fleet(quiet), _numbers(quiet))
        return quiet.level if quiet.known else 1.0

    def site(self, row: Baseline, observed: Sequence[Observation], level: float) -> Baseline:
        """Judges one site; its baseline after that."""
        volume = Volume.read(row.volume)
        for one in observed:
            if one.is_new:
                volume.add(one.at, one.published)
        wanted = self._watching.declared is None or row.site in self._watching.declared
        if wanted and self._watching.site in {None, row.site}:
            self._advance(row.site, volume)
            quiet = judge_volume(volume, level)
            if (FLEET, QUIET) in self._open and quiet.alarm and (row.site, QUIET) not in self._open:
                quiet = replace(quiet, alarm=None)  # one alarm says it, not one for each site
            self._settle(row.site, QUIET, quiet, _said_of_volume(quiet), _numbers(quiet))
        row = replace(row, next_check=self._now + AGAIN, volume=volume.written())
        if not observed:
            return row
        pages = Pages.read(row.base, row.recent)
        for number, one in enumerate(observed, 1):
            take_in(pages, one, is_alarm=(row.site, EXTRACTION) in self._open)
            # Of hundreds at once the first would be usual before the last are judged.
            if wanted and (number % JUDGED_TOGETHER == 0 or number == len(observed)):
                self._judge_pages(row.site, pages)
        base, recent = pages.written()
        return replace(row, base=base, recent=recent)

    def _judge_pages(self, site: str, pages: Pages) -> None:
        broken = judge_pages(pages)
        if broken.alarm is None and not broken.over:
            return
        shares = {miss.what: [round(miss.now, 3), round(miss.usual, 3)] for miss in broken.misses}
        middle, deviation = usual_length(pages.base)
        details = {"shares": shares, "usual_characters": middle, "usual_deviation": deviation, "pages": broken.pages}
        said = [f"{miss.what} on {miss.now:.0%} (usually {miss.usual:.0%})" for miss in broken.misses]
        failure = commonest_failure(pages.recent)
        if failure is not None and any(miss.what == "page failed" for miss in broken.misses):
            said.append(f"most often {failure}")
        since = f" since {broken.since:%Y-%m-%d %H:%M} UTC" if broken.since else ""
        message = f"extraction looks broken{since}: {', '.join(said)} of the last {counted(broken.pages, 'page')}"
        if any(miss.what == NOT_BELIEVED for miss in broken.misses):
            message += "; `newscrawl held` shows what is held back"
        self._settle(site, EXTRACTION, broken, message, details)

    def _advance(self, site: str, volume: Volume) -> None:
        """Says up to when the site was watched."""
        if self._watching.up_since is None:
            volume.crawl_ended(self._now)
            volume.watched_until(self._now)
            return
        if site in self._watching.asleep:
            volume.not_watched_until(self._now)
            return
        ended = self._crawled.get(site)
        if ended is None:
            return
        volume.crawl_ended(ended)
        late = max(LEAST_LATE, timedelta(hours=LATE * volume.gap))
        if self._now - max(ended, self._watching.up_since) > late:
            volume.watched_until(self._now)
        else:
            volume.watched_until(ended)

    def _settle(self, site: str, kind: str, found: Any, message: str, details: dict[str, Any]) -> None:
        """Opens, updates or closes the alarm of this kind as the judgement says."""
        alarm = self._open.get((site, kind))
        if found.alarm is not None and alarm is None:
            since = found.since or self._now
            new = Alarm(site, kind, found.alarm, since, self._now, message, details)
            self.opened.append(alarms.begin(self._connection, new))
            self._open[site, kind] = self.opened[-1]
        elif found.alarm is not None and alarm is not None and alarm.id is not None:
            if (alarm.severity, alarm.message) != (found.alarm, message):
                alarms.grow(self._connection, alarm.id, found.alarm, message, details)
        elif alarm is not None and alarm.id is not None and found.known and found.over:
            alarms.end(self._connection, alarm.id, self._now)
            self.closed.append(replace(alarm, closed_at=self._now))
            del self._open[site, kind]


def accept(connection: Any, site: str, now: datetime) -> list[Alarm]:
    """A storage operation: the site is now as it is. Closes its alarms and lets what is usual be learned anew."""
    closed = alarms.open_alarms(connection, site)
    for alarm in closed:
        if alarm.id is not None:
            if alarm.kind == coverage.KIND:
                details = {**alarm.details, coverage.ACCEPTED: alarm.details.get("missing", 0)}
                alarms.grow(connection, alarm.id, alarm.severity, alarm.message, details)
            alarms.end(connection, alarm.id, now)
    row = baselines.load(connection, [site]).get(site)
    if row is not None:
        kinds = {alarm.kind for alarm in closed}
        if QUIET in kinds:
            row = replace(row, volume=None)
        if EXTRACTION in kinds:
            pages = Pages.read(row.base, row.recent)
            pages.accept()
            base, recent = pages.written()
            row = replace(row, base=base, recent=recent)
        baselines.save(connection, [row])
    return closed


def _by_site(observed: Iterable[Observation]) -> dict[str, list[Observation]]:
    found: dict[str, list[Observation]] = defaultdict(list)
    for one in observed:
        found[one.site].append(one)
    return dict(found)


def _said_of_clock(skew: Skew, machine: str) -> str:
    where = "ahead of" if skew.ahead > timedelta(0) else "behind"
    apart = timedelta(seconds=round(abs(skew.ahead).total_seconds()))
    return (
        f"the clock of {machine} is {apart} {where} those of the {HOSTS} hosts that answered last: set it; "
        "until then times of the future count as they are stored"
    )


def _said_of_volume(quiet: Quiet) -> str:
    came = "no new article" if not quiet.seen else f"{quiet.seen} new articles"
    return f"{came} since {quiet.since:%Y-%m-%d %H:%M} UTC, about {quiet.expected:.0f} expected" if quiet.since else ""


def _said_of_fleet(quiet: Quiet) -> str:
    return f"the whole fleet is quiet: {_said_of_volume(quiet)}" if quiet.since else ""


def _numbers(quiet: Quiet) -> dict[str, Any]:
    return {"expected": round(quiet.expected, 1), "seen": quiet.seen}
