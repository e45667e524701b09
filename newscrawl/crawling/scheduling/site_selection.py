"""Decides which sites to crawl now, from their rows and the time. Pure; the fleet carries the decisions out.

- A site is due when one of its sources or pages is, or when its own timetable says so. It is never due in its quiet
  hours, while another process crawls it, or twice within `min_interval`.
- Sites are ordered by the number of new entries expected to wait there, so a site in a burst comes before others that
  have been due as long. A site that has waited for `max_wait` comes before all others. A started crawl resets its
  site's waiting time even if it fails, so processes that keep dying start with other sites each time.
- A large or slow site takes one of `places`. After `max_crawl` its crawl is asked to end if another site waits; the
  rest of its work waits for its next crawl.
- A site whose daily budget is used up is not crawled until the next day (UTC), and that is counted.
- Pages never fetched do not make a site due once its daily limit of such pages is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from newscrawl.crawling.scheduling.site_state import SiteDue
from newscrawl.errors import UsageError

Reason = Literal["news", "sources", "pages", "found", "timetable", "first"]
"""Why a site is crawled. `news`: a source is due and many entries are expected; `sources`: one is due; `pages`: a
revisit is due; `found`: announced pages are left; `timetable`: its own timetable; `first`: no crawl of it has ended
yet."""

BREAKING: Final = 4.0
"""New entries an hour from which a site's reason is "news": its feeds are read every few minutes."""
UNKNOWN: Final = 2.0
"""New entries an hour that are expected of a site whose first crawl has not ended: about as many as a site of medium
size has. Such a site waits since it was declared (`overdue_since`)."""
PAGE_WEIGHT: Final = 0.02
"""A revisit that is due counts as this fraction of a new entry: an edit is worth less than an article."""


MIN_INTERVAL: Final = timedelta(minutes=1)
"""The shortest interval between two starts that a timetable may have."""


@dataclass(frozen=True, slots=True)
class Timetable:
    """When a site is crawled instead of when its sources are due. At most one of `cron` and `interval` is set. The site
    is not crawled in quiet hours (pairs of from and to, also over midnight). Cron and quiet hours are in `zone`, UTC if
    that is None."""

    cron: str | None = None
    interval: timedelta | None = None
    quiet: tuple[tuple[time, time], ...] = ()
    zone: ZoneInfo | None = None

    @classmethod
    def of(
        cls, *, cron: str | None = None, every: float | None = None, quiet: str | None = None, zone: str | None = None
    ) -> Timetable:
        """Builds a timetable from the values of a declaration: `every` in seconds, `quiet` like
        "23:00-06:00, 12:00-13:00", `zone` like "Europe/Berlin". Raises UsageError for an unreadable value."""
        if cron is not None and every is not None:
            raise UsageError("a timetable has both a cron expression and an interval: give one")
        if cron is not None:
            _check_cron(cron)
        if every is not None and not every >= MIN_INTERVAL.total_seconds():
            raise UsageError(f"interval {every:g} s is too short: give at least {MIN_INTERVAL.total_seconds():g}")
        interval = timedelta(seconds=every) if every is not None else None
        return cls(cron, interval, _spans(quiet or ""), _zone(zone))

    @property
    def is_fixed(self) -> bool:
        """Whether the timetable sets the times of crawls (a cron expression or an interval)."""
        return self.cron is not None or self.interval is not None

    def next_start(self, last: datetime | None, now: datetime) -> datetime | None:
        """Returns when the next crawl starts, given the start of the last one; a time not after `now` means that it is
        due. Returns None without cron and interval.

        Cron times that passed while nothing ran are made up for by one crawl together.
        """
        if self.interval is not None:
            return now if last is None else min(last, now) + self.interval
        if self.cron is None:
            return None
        after = (min(last, now) if last is not None else now - MIN_INTERVAL).astimezone(self.zone or UTC)
        return next(CronSim(self.cron, after)).astimezone(UTC)

    def is_quiet(self, now: datetime) -> bool:
        """Returns whether `now` is in quiet hours."""
        clock = now.astimezone(self.zone or UTC).time()
        return any(a <= clock < b if a <= b else (clock >= a or clock < b) for a, b in self.quiet)


def _check_cron(cron: str) -> None:
    try:
        next(CronSim(cron, datetime(2026, 1, 1, tzinfo=UTC)))
    except (CronSimError, StopIteration) as error:
        raise UsageError(f"cron expression {cron!r} cannot be read: write it like '*/15 6-22 * * *'") from error


def _spans(quiet: str) -> tuple[tuple[time, time], ...]:
    spans = []
    for part in filter(None, map(str.strip, quiet.split(","))):
        begin, _, end = part.partition("-")
        try:
            spans.append((time.fromisoformat(begin.strip()), time.fromisoformat(end.strip())))
        except ValueError as error:
            raise UsageError(f"quiet hours {part!r} cannot be read: write them like '23:00-06:00'") from error
    return tuple(spans)


def _zone(name: str | None) -> ZoneInfo | None:
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"time zone {name!r} is not known: write it like 'Europe/Berlin'") from error


@dataclass(frozen=True, slots=True)
class SitePlan:
    """The operator's settings for one site: its timetable and requests a day (None: no limit). `least_new` is the
    minimum of its daily limit of never-fetched addresses (None: no limit). `priority` multiplies its waiting time and
    its expected entries."""

    timetable: Timetable = field(default_factory=Timetable)
    budget: int | None = None
    paused: bool = False
    least_new: int | None = None
    priority: float = 1.0


@dataclass(frozen=True, slots=True)
class FleetPolicy:
    """The settings that hold for all sites. `places` is how many are crawled at once."""

    places: int = 16
    min_interval: timedelta = timedelta(minutes=1)
    max_crawl: timedelta = timedelta(minutes=20)
    max_wait: timedelta = timedelta(minutes=30)
    leftovers: timedelta = timedelta(minutes=15)
    """Pages left over from an earlier crawl (its budget was used up, or a host paused) are due this long after its
    start; those of a crawl that never ended (its process was killed or stopped) are due after `min_interval`."""


@dataclass(frozen=True, slots=True)
class Start:
    """Crawl this site now. `requests_left` is what its budget allows today, None without one."""

    site: str
    reason: Reason
    requests_left: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision of one moment. `start` are the crawls to start, in this order; `stop` are the sites whose crawls are
    asked to end; `over_budget` are sites that were due and had no budget left."""

    start: tuple[Start, ...] = ()
    stop: tuple[str, ...] = ()
    over_budget: tuple[str, ...] = ()


def has_new(row: SiteDue, plan: SitePlan) -> bool:
    """Returns whether the site has announced pages that may be requested today. A limit that was reached earlier today
    no longer counts if it is lower than the plan's `least_new` now."""
    is_reached = row.bound_reached is not None and plan.least_new is not None and row.bound_reached >= plan.least_new
    return row.found > 0 and not is_reached


def decide(
    rows: Iterable[SiteDue],
    plans: Mapping[str, SitePlan],
    running: Mapping[str, datetime],
    now: datetime,
    policy: FleetPolicy = FleetPolicy(),
) -> Decision:
    """Returns the decision for this moment. `rows` need only hold sites with something due, with a timetable, or never
    crawled; sites without a plan are not crawled. `running` maps the sites that this process crawls to their starts."""
    waiting: list[tuple[tuple[float, float], Start]] = []
    over_budget: list[str] = []
    for row in rows:
        plan = plans.get(row.site)
        if plan is None or plan.paused or row.site in running or row.leased:
            continue
        reason = _reason(row, plan, now, policy)
        if reason is None:
            continue
        if plan.budget is not None and row.requests_today >= plan.budget:
            over_budget.append(row.site)
            continue
        left = plan.budget - row.requests_today if plan.budget is not None else None
        waiting.append((_rank(row, plan, now, policy), Start(row.site, reason, left)))
    waiting.sort(key=lambda ranked: (ranked[0], ranked[1].site))
    free = max(0, policy.places - len(running))
    # A long crawl is asked to end only if another site waits for its place.
    slow = [site for site, since in running.items() if now - since >= policy.max_crawl] if len(waiting) > free else []
    return Decision(tuple(start for _, start in waiting[:free]), tuple(sorted(slow)), tuple(over_budget))


def _reason(row: SiteDue, plan: SitePlan, now: datetime, policy: FleetPolicy) -> Reason | None:
    """Returns why the site is to be crawled now; None if it is not."""
    table = plan.timetable
    if table.is_quiet(now):
        return None
    if row.last_started is not None and now < row.last_started + policy.min_interval and row.last_started <= now:
        return None
    if table.is_fixed:
        due = table.next_start(row.last_started, now)
        return "timetable" if due is None or due <= now else None
    if row.last_started is None or row.last_finished is None:
        return "first"
    if row.sources:
        return "news" if row.rate >= BREAKING else "sources"
    if row.pages:
        return "pages"
    if has_new(row, plan):
        ended = row.last_finished >= row.last_started
        again = row.last_started + (policy.leftovers if ended else policy.min_interval)
        return "found" if again <= now or row.last_started > now else None
    return None


def _rank(row: SiteDue, plan: SitePlan, now: datetime, policy: FleetPolicy) -> tuple[float, float]:
    """Returns the sort key: sites that have waited for `max_wait` come first, by their waiting time, then those with
    most expected entries."""
    moments = [at for at in (row.overdue_since, row.last_started) if at is not None and at <= now]
    rate = row.rate if row.last_finished is not None else max(row.rate, UNKNOWN)
    waited = (now - max(moments)).total_seconds() if moments else 0.0
    if waited * plan.priority >= policy.max_wait.total_seconds():
        return 0.0, -waited * plan.priority
    expected = (rate + PAGE_WEIGHT * row.pages) * (waited + 60) / 3600
    return 1.0, -expected * plan.priority
