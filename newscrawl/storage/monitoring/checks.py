"""The checks of the watchdog: `check` adds samples to the baselines, judges the sites that are due, opens and closes
alarms. Others need no baseline: machines that are gone, an object store that is away, new articles on a site's front
page that no source lists, and sites that are unreachable.

Each check is one transaction, so that the alarms agree with the data that the check read. The decisions are in
newscrawl.monitoring. The check of unreachable sites reads what crawls have stored, so an alarm is opened by the clock
also while the host's rest forbids requests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, and_, exists, func, select

from newscrawl.discovery.proposals.coverage import EXAMPLES, Gap, left_out
from newscrawl.model import UNANSWERED
from newscrawl.model.wording import counted
from newscrawl.monitoring.extraction import ExtractionBaseline, judge_extraction, judge_hints
from newscrawl.monitoring.messages import AlarmText, extraction_text, hints_text, volume_text
from newscrawl.monitoring.page_checks import add_stored, page_problems_of_alarm
from newscrawl.monitoring.problems import Judgement
from newscrawl.monitoring.reachability import OPEN_AFTER, SourceState, Unreachable, judge_pages, judge_sources
from newscrawl.monitoring.samples import PageSample
from newscrawl.monitoring.volume import VolumeBaseline, judge_volume
from newscrawl.storage import machines
from newscrawl.storage.engine.sql import distinct, rows_among
from newscrawl.storage.engine.transactions import time_of
from newscrawl.storage.frontier import sites
from newscrawl.storage.frontier.crawls import UNREAD
from newscrawl.storage.monitoring import alarms, samples, site_models
from newscrawl.storage.monitoring.alarms import (
    EXTRACTION,
    FLEET,
    HINTS,
    MACHINE,
    OBJECT_STORE,
    QUIET,
    UNREACHABLE,
    Alarm,
    AlarmChanges,
)
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.storage.tables.frontier import sources
from newscrawl.storage.tables.operations import alarms as alarms_table
from newscrawl.storage.tables.operations import events

AGAIN: Final = timedelta(minutes=30)
"""Time between two checks of a site without new pages. Volume is counted by the hour."""
MAX_SITES: Final = 20
"""Sites judged by one check, besides those with new pages. Each takes about a millisecond of the writer thread, which
other writes wait for."""
MAX_PAGES: Final = 1_000
JUDGED_TOGETHER: Final = 10
"""Pages of a site that are added to its baseline before it is judged again."""
LATE: Final = 2.0
"""A site that was not crawled for this many times its usual pause is judged all the same: it is quiet, for whatever
reason."""
MIN_LATE: Final = timedelta(hours=2)
GROWN: Final = 1.5
"""An accepted gap raises an alarm again when this many times as many articles are missing."""


@dataclass(frozen=True, slots=True)
class WatchScope:
    """What one check judges.

    `up_since` is when this process began to crawl continuously. It is None for the check after a single crawl; `site`
    is then the crawled site, or "" if the crawl was incomplete. `declared` are the sites to judge (None: all), `asleep`
    those that are paused or in quiet hours.
    """

    site: str | None = None
    up_since: datetime | None = None
    declared: Collection[str] | None = None
    asleep: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class SiteMemory:
    """What a crawl needs of a site's earlier pages: its extraction baseline, and the problems that an open alarm
    names."""

    baseline: ExtractionBaseline
    alarmed: frozenset[str]
    is_alarm: bool


def check(connection: Connection, now: datetime, scope: WatchScope = WatchScope()) -> AlarmChanges:
    """Adds the waiting samples to the baselines, judges the sites that are due, opens and closes alarms."""
    taken = samples.take(connection, MAX_PAGES)
    due = site_models.due(connection, now - AGAIN, MAX_SITES)
    names = {*taken.by_site, *due} - {FLEET}
    if scope.site is not None:
        names = {*taken.by_site, *filter(None, [scope.site])}
    volumes = site_models.load(connection, VolumeBaseline, {*names, FLEET})
    extractions = site_models.load(connection, ExtractionBaseline, taken.by_site)
    judge = _Judge(connection, now, scope, site_models.last_crawls(connection, names))
    _add_new(volumes.by_site[FLEET], [sample for of_site in taken.by_site.values() for sample in of_site])
    level = judge.fleet(volumes.by_site[FLEET])
    for name in sorted(names):
        of_site = taken.by_site.get(name, [])
        _add_new(volumes.by_site[name], of_site)
        judge.volume(name, volumes.by_site[name], level)
        if of_site:
            judge.pages(name, extractions.by_site[name], of_site)
    site_models.save(connection, now, volumes.by_site, extractions.by_site)
    more = taken.number == MAX_PAGES or (scope.site is None and len(due) == MAX_SITES)
    damaged = taken.damaged + len(volumes.damaged) + len(extractions.damaged)
    return AlarmChanges(tuple(judge.opened), tuple(judge.closed), more, damaged)


def remembered(connection: Connection, site: str) -> SiteMemory:
    """Returns what a starting crawl needs of its site's earlier pages, including samples that no check has taken
    yet."""
    baseline = site_models.load(connection, ExtractionBaseline, [site]).by_site[site]
    alarm = alarms.open_alarm(connection, site, EXTRACTION)
    for sample in samples.pending(connection, site).by_site.get(site, ()):
        add_stored(baseline, sample, is_alarm=alarm is not None)
    alarmed = page_problems_of_alarm(alarm.details.get("shares", {})) if alarm is not None else frozenset[str]()
    return SiteMemory(baseline, alarmed, alarm is not None)


def accept(connection: Connection, site: str, now: datetime) -> list[Alarm]:
    """Accepts the site as it is now, on the operator's request. Closes its alarms and returns them; each baseline that
    led to one of them is learned again, and a coverage gap stays accepted until it grows."""
    closed = alarms.open_alarms(connection, site)
    for alarm in closed:
        if alarm.kind == sites.COVERAGE:
            details = {**alarm.details, sites.ACCEPTED: alarm.details.get("missing", 0)}
            alarms.grow(connection, alarm.id, alarm.severity, alarm.message, details)
        alarms.end(connection, alarm.id, now)
    kinds = {alarm.kind for alarm in closed}
    if QUIET in kinds:
        site_models.save(connection, now, {site: VolumeBaseline()}, {})
    if kinds & {EXTRACTION, HINTS}:
        baseline = site_models.load(connection, ExtractionBaseline, [site]).by_site[site]
        if HINTS in kinds:
            baseline.hints = ()
        if EXTRACTION in kinds:
            baseline.accept()
        site_models.save(connection, now, {}, {site: baseline})
    return closed


def check_machines(connection: Connection, now: datetime | None = None) -> AlarmChanges:
    """Opens the alarm that machines are gone, or closes it. `now` None is the database's clock."""
    now = time_of(connection, now)
    missing = machines.gone(connection, now)
    if not missing:
        return alarms.keep_one(connection, FLEET, MACHINE, None, now)
    named = ", ".join(f"{name} (last seen {seen:%Y-%m-%d %H:%M} UTC)" for name, seen in missing.items())
    message = f"{counted(len(missing), 'machine is', 'machines are')} gone: {named}; its sites go to the others"
    details = {"machines": sorted(missing)}
    wanted = Alarm(FLEET, MACHINE, "critical", min(missing.values()), now, message, details)
    return alarms.keep_one(connection, FLEET, MACHINE, wanted, now)


def check_object_store(
    connection: Connection, now: datetime, problem: str | None, since: datetime, machine: str
) -> AlarmChanges:
    """Opens the alarm that `machine` cannot move files into the object store since `since`, updates it, or closes it
    if `problem` is None. An alarm is closed once no machine has the problem any more."""
    alarm = alarms.open_alarm(connection, FLEET, OBJECT_STORE)
    reasons: dict[str, str] = dict(alarm.details["machines"]) if alarm is not None else {}
    reasons.pop(machine, None)
    if problem is not None:
        reasons[machine] = problem
    if not reasons:
        return alarms.keep_one(connection, FLEET, OBJECT_STORE, None, now)
    named = "; ".join(f"{name}: {reason}" for name, reason in sorted(reasons.items()))
    message = f"files of the archive wait on {counted(len(reasons), 'machine')} for the object store ({named})"
    wanted = Alarm(FLEET, OBJECT_STORE, "critical", since, now, message, {"machines": reasons})
    return alarms.keep_one(connection, FLEET, OBJECT_STORE, wanted, now)


def check_coverage(connection: Connection, site: str, gap: Gap | None, now: datetime) -> AlarmChanges:
    """Opens, updates or closes the site's coverage alarm, and plans the next comparison. `gap` is None if the front
    page could not be fetched."""
    if gap is None:
        sites.plan_comparison(connection, site, now + sites.COMPARED_AGAIN)
        return AlarmChanges()
    counts = gap.counts and len(gap.missing) > GROWN * sites.accepted_gap(connection, site)
    sites.plan_comparison(connection, site, now + (sites.COMPARED_AGAIN if counts else sites.COMPARED_EVERY))
    examples = [link.url for link in gap.missing[: 3 * EXAMPLES]]
    details = {"missing": len(gap.missing), "compared": gap.compared, "examples": examples}
    wanted = Alarm(site, sites.COVERAGE, "warning", now, now, left_out(gap.missing), details) if counts else None
    return alarms.keep_one(connection, site, sites.COVERAGE, wanted, now)


class _Judge:
    """The state of one check: its scope, and the alarms that it has `opened` and `closed`."""

    def __init__(self, connection: Connection, now: datetime, scope: WatchScope, crawled: dict[str, datetime]) -> None:
        self._now = now
        self._scope = scope
        self._crawled = crawled
        self._connection = connection
        self._open = {(alarm.site, alarm.kind): alarm for alarm in alarms.open_alarms(connection)}
        self.opened: list[Alarm] = []
        self.closed: list[Alarm] = []

    def fleet(self, volume: VolumeBaseline) -> float:
        """Judges all sites together. Returns the fleet's present volume as a share of its usual volume."""
        if self._scope.up_since is None:
            return 1.0
        self._advance(FLEET, volume)
        judgement = judge_volume(volume)
        self._update_alarm(FLEET, QUIET, judgement, volume_text(judgement, is_fleet=True))
        return judgement.level if judgement.known else 1.0

    def volume(self, site: str, volume: VolumeBaseline, level: float) -> None:
        """Judges whether one site has gone quiet."""
        if not self._is_wanted(site) or self._scope.site not in {None, site}:
            return
        self._advance(site, volume)
        judgement = judge_volume(volume, level)
        if (FLEET, QUIET) in self._open and judgement.alarm and (site, QUIET) not in self._open:
            judgement = replace(judgement, alarm=None)  # the fleet's one alarm covers it
        self._update_alarm(site, QUIET, judgement, volume_text(judgement))

    def pages(self, site: str, baseline: ExtractionBaseline, added: Sequence[PageSample]) -> None:
        """Adds the samples of one site and judges its extraction."""
        for number, sample in enumerate(added, 1):
            add_stored(baseline, sample, is_alarm=(site, EXTRACTION) in self._open)
            # If hundreds were added at once, the first would count as usual before the last are judged.
            if self._is_wanted(site) and (number % JUDGED_TOGETHER == 0 or number == len(added)):
                judgement = judge_extraction(baseline)
                if judgement.alarm is not None or judgement.can_close:
                    self._update_alarm(site, EXTRACTION, judgement, extraction_text(judgement, baseline))
        if self._is_wanted(site):
            self._update_alarm(site, HINTS, judge_hints(baseline.hints), hints_text(baseline.hints))

    def _is_wanted(self, site: str) -> bool:
        return self._scope.declared is None or site in self._scope.declared

    def _advance(self, site: str, volume: VolumeBaseline) -> None:
        """Records until when the site was watched: the end of its last crawl, or now if a crawl just ended or is
        late."""
        if self._scope.up_since is None:
            volume.crawl_ended(self._now)
            volume.watched_until(self._now)
            return
        if site in self._scope.asleep:
            volume.not_watched_until(self._now)
            return
        ended = self._crawled.get(site)
        if ended is None:
            return
        volume.crawl_ended(ended)
        late = max(MIN_LATE, timedelta(hours=LATE * volume.gap))
        is_late = self._now - max(ended, self._scope.up_since) > late
        volume.watched_until(self._now if is_late else ended)

    def _update_alarm(self, site: str, kind: str, judgement: Judgement, text: AlarmText) -> None:
        """Opens, updates or closes the site's alarm of this kind according to the judgement."""
        wanted: list[Alarm] = []
        if judgement.alarm is not None:
            since = judgement.since or self._now
            wanted = [Alarm(site, kind, judgement.alarm, since, self._now, text.message, text.details)]
        elif not (judgement.known and judgement.can_close):
            return
        known = [alarm for key, alarm in self._open.items() if key == (site, kind)]
        changes = alarms.keep(self._connection, known, wanted, self._now)
        if changes.opened:
            self._open[site, kind] = changes.opened[0]
        elif changes.closed:
            del self._open[site, kind]
        self.opened += changes.opened
        self.closed += changes.closed


def _add_new(volume: VolumeBaseline, added: Sequence[PageSample]) -> None:
    for sample in added:
        if sample.is_new and sample.fetched_at is not None:
            volume.add(sample.fetched_at, sample.published)


MAX_EVENTS: Final = 20_000
"""The newest events among which failed pages are looked for: 15 minutes of a fleet that fetches seven pages a second.
A busier fleet misses an alarm about a site whose sources answer and whose pages do not."""
MIN_PAGES: Final = 3
"""Pages that must fail, with none answered since."""
MIN_SITES: Final = 5
"""If at least so many sites, and half of all, are unreachable, one alarm of the fleet says it: it is rather this
machine's network."""
MAX_NAMED: Final = 50
"""Sites that the details of the fleet's alarm name."""


def check_reachable(
    connection: Connection, now: datetime, declared: Collection[str], asleep: Collection[str] = ()
) -> AlarmChanges:
    """Opens the alarm of each site that is unreachable for `OPEN_AFTER`, updates it, and closes it once the site
    answers. It is opened for sites that are `declared` and not `asleep`."""
    known = {alarm.site: alarm for alarm in alarms.open_alarms(connection) if alarm.kind == UNREACHABLE}
    of_pages = _pages(connection)
    failing = connection.execute(select(sources.c.site).where(sources.c.failures > 0).distinct()).scalars()
    names = {*failing, *of_pages, *known} - {FLEET, GENERIC_SITE}
    away = _unreachable(connection, names, of_pages)
    late = {
        site
        for site, one in away.items()
        if site in known
        or (
            site in declared
            and site not in asleep
            and now - one.since >= OPEN_AFTER
            and not _is_accepted(connection, site, one.since)
        )
    }
    wanted: list[Alarm] = []
    if len(late) >= MIN_SITES and 2 * len(late) >= len(distinct(connection, sources.c.site)):
        since = min(away[site].since for site in late)
        message = f"{len(late)} sites are unreachable since {since:%Y-%m-%d %H:%M} UTC: is this machine's network away?"
        details = {"sites": sorted(late)[:MAX_NAMED]}
        wanted.append(Alarm(FLEET, UNREACHABLE, "critical", since, now, message, details))
        late &= known.keys()
    for site in sorted(late):
        since, text = away[site].since, away[site].text
        wanted.append(Alarm(site, UNREACHABLE, "critical", since, now, text.message, text.details))
    return alarms.keep(connection, known.values(), wanted, now)


def _unreachable(
    connection: Connection, names: Collection[str], of_pages: Mapping[str, tuple[datetime | None, Unreachable | None]]
) -> dict[str, Unreachable]:
    """Returns which of these sites are unreachable."""
    by_site: dict[str, list[SourceState]] = {}
    columns = (sources.c.site, sources.c.failures, sources.c.failing_since, sources.c.failure_kind)
    # A source without visits of its own is read with its index. One that no crawl reads is not declared any more.
    query = select(*columns, sources.c.last_fetched).where(sources.c.next_due.is_not(None))
    for row in rows_among(connection, query, sources.c.site, names):
        if row.failure_kind != UNREAD:
            state = SourceState(row.failures, row.failing_since, row.failure_kind, row.last_fetched)
            by_site.setdefault(row.site, []).append(state)
    found: dict[str, Unreachable] = {}
    for site in names:
        answered_at, failed = of_pages.get(site, (None, None))
        of_sources = by_site.get(site)
        judged = (judge_sources(of_sources, answered_at) if of_sources else None) or failed
        if judged is not None:
            found[site] = judged
    return found


def _pages(connection: Connection) -> dict[str, tuple[datetime | None, Unreachable | None]]:
    """Returns when a page was answered last, and the judgement of those that had no answer since, of the sites of which
    at least `MIN_PAGES` had none."""
    newest = connection.execute(select(func.max(events.c.id))).scalar() or 0
    is_recent = events.c.id > newest - MAX_EVENTS
    is_failed = events.c.kind.in_(sorted(UNANSWERED))
    is_source = exists().where(sources.c.site == events.c.site, sources.c.url_key == events.c.url_key)
    failed = select(events.c.site).where(is_recent, is_failed, ~is_source).group_by(events.c.site)
    failing = failed.having(func.count(events.c.url_key.distinct()) >= MIN_PAGES)
    names = [site for site in connection.execute(failing).scalars() if site != GENERIC_SITE]
    of_pages = and_(is_recent, ~is_source)
    is_answered = and_(events.c.status.is_not(None), events.c.status < 500, events.c.status != 429, ~is_failed)
    latest = select(events.c.site, func.max(events.c.at, type_=events.c.at.type).label("at"))
    latest = latest.where(of_pages, is_answered).group_by(events.c.site)
    answered = {row.site: row.at for row in rows_among(connection, latest, events.c.site, names)}
    columns = (events.c.site, events.c.url_key, events.c.at, events.c.kind)
    without_answer = select(*columns).where(of_pages, is_failed).order_by(events.c.at)
    since: dict[str, list[Any]] = {site: [] for site in names}
    for row in rows_among(connection, without_answer, events.c.site, names):
        if row.site not in answered or row.at > answered[row.site]:
            since[row.site].append(row)
    return {site: (answered.get(site), _judged(failed)) for site, failed in since.items()}


def _judged(failed: list[Any]) -> Unreachable | None:
    number = len({row.url_key for row in failed})
    if number < MIN_PAGES:
        return None
    return judge_pages(failed[0].at, number, Counter(row.kind for row in failed))


def _is_accepted(connection: Connection, site: str, since: datetime) -> bool:
    """Returns whether an operator closed the alarm about these failures (`newscrawl status --accept`)."""
    table = alarms_table.c
    is_this = (table.site == site, table.kind == UNREACHABLE, table.closed_at >= since + OPEN_AFTER)
    return connection.execute(select(table.id).where(*is_this).limit(1)).first() is not None
