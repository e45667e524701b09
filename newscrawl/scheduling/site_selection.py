"""Which sites to crawl now: rows and `now` in, intents out. Pure; the fleet carries them out.

- A site is due when a source or page of it is, or when its own timetable says so; never in its quiet hours, never while
  somebody crawls it, never twice within `rest`.
- Breaking news first: sites are served by how many new entries can be expected to wait there, so a site in a burst
  comes before others due as long. Waiting counts too, so that nobody starves: after `starving` a site comes before all.
  Who was begun waits anew, however that ended: when processes die again and again, each begins with other sites.
- A large or slow site takes one place of `places`, however much it has to do; and when its crawl has gone on for
  `turn`, it is asked to end, and what is left of it waits for its next turn.
- A site whose daily budget is spent is left alone until the next day (UTC), and that is counted.
- Pages that were never fetched make no site due that has asked for as many of them today as it may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

from newscrawl.scheduling.timetable import Timetable

Reason = Literal["news", "sources", "pages", "found", "timetable", "first"]
"""Why a site is crawled: a source expects news, one is due, revisits, pages left over, its timetable, never yet to its
end."""

BREAKING: Final = 4.0
"""New entries an hour from which a site's reason is "news": its feeds are read every few minutes."""
UNKNOWN: Final = 2.0
"""New entries an hour that are expected of a site never crawled: about what a site of middling size has. Its
`overdue_since` is when it was declared."""
PAGE_WEIGHT: Final = 0.02
"""A revisit that waits counts as this part of a new entry: an edit is worth less than an article."""


class DueRow(Protocol):
    """What the fleet knows of a site; storage.sites.SiteDue is one."""

    @property
    def site(self) -> str: ...
    @property
    def sources(self) -> int: ...
    @property
    def pages(self) -> int: ...
    @property
    def found(self) -> int: ...
    @property
    def rate(self) -> float: ...
    @property
    def overdue_since(self) -> datetime | None: ...
    @property
    def last_started(self) -> datetime | None: ...
    @property
    def last_finished(self) -> datetime | None: ...
    @property
    def requests_today(self) -> int: ...
    @property
    def leased(self) -> bool: ...
    @property
    def bound_reached(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class SitePlan:
    """What the operator says of one site: its timetable, and requests a day (None: no limit). `least_new` is how many
    addresses that were never fetched a day may have at least (None: they are not bounded)."""

    timetable: Timetable = field(default_factory=Timetable)
    budget: int | None = None
    paused: bool = False
    least_new: int | None = None


@dataclass(frozen=True, slots=True)
class FleetPolicy:
    """What holds for all sites. `places` is how many are crawled at once."""

    places: int = 16
    rest: timedelta = timedelta(minutes=1)
    turn: timedelta = timedelta(minutes=20)
    starving: timedelta = timedelta(minutes=30)
    leftovers: timedelta = timedelta(minutes=15)
    """Pages left over from an earlier crawl (a budget, a host that rested) are taken up so long after its start; those
    of a crawl that never ended (its process was killed or told to stop), after `rest`."""


@dataclass(frozen=True, slots=True)
class Start:
    """Crawl this site now. `requests_left` is what its budget allows today, None without one."""

    site: str
    reason: Reason
    requests_left: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do now: start these, in this order; ask these crawls to end; these were due and had no budget left; look
    again at `wake`, or when something changes (None: nothing is known to come)."""

    start: tuple[Start, ...] = ()
    stop: tuple[str, ...] = ()
    over_budget: tuple[str, ...] = ()
    wake: datetime | None = None


def has_new(row: DueRow, plan: SitePlan) -> bool:
    """Whether the site has announced pages that it may ask for today. A bound that was reached and is lower than the
    plan's was raised since."""
    is_spent = row.bound_reached is not None and plan.least_new is not None and row.bound_reached >= plan.least_new
    return row.found > 0 and not is_spent


def decide(
    rows: Iterable[DueRow],
    plans: Mapping[str, SitePlan],
    running: Mapping[str, datetime],
    now: datetime,
    policy: FleetPolicy = FleetPolicy(),
) -> Decision:
    """The decision for this tick. `rows` need only hold sites with something due, with a timetable, or never crawled;
    sites without a plan are not crawled. `running` are the sites this process crawls, and since when."""
    waiting: list[tuple[tuple[float, float], Start]] = []
    spent: list[str] = []
    wake: list[datetime] = []
    for row in rows:
        plan = plans.get(row.site)
        if plan is None or plan.paused or row.site in running or row.leased:
            continue
        reason = _reason(row, plan, now, policy, wake)
        if reason is None:
            continue
        if plan.budget is not None and row.requests_today >= plan.budget:
            spent.append(row.site)
            continue
        left = plan.budget - row.requests_today if plan.budget is not None else None
        waiting.append((_rank(row, now, policy), Start(row.site, reason, left)))
    waiting.sort(key=lambda ranked: (ranked[0], ranked[1].site))
    free = max(0, policy.places - len(running))
    # A crawl ends its turn only when somebody waits for its place.
    slow = [site for site, since in running.items() if now - since >= policy.turn] if len(waiting) > free else []
    return Decision(
        tuple(start for _, start in waiting[:free]), tuple(sorted(slow)), tuple(spent), min(wake, default=None)
    )


def _reason(row: DueRow, plan: SitePlan, now: datetime, policy: FleetPolicy, wake: list[datetime]) -> Reason | None:
    """Why the site is to be crawled now; otherwise None, and `wake` learns when it may be."""
    table = plan.timetable
    if table.is_quiet(now):
        return None
    if row.last_started is not None and now < row.last_started + policy.rest and row.last_started <= now:
        wake.append(row.last_started + policy.rest)
        return None
    if table.is_fixed:
        due = table.next_start(row.last_started, now)
        if due is not None and due > now:
            wake.append(due)
            return None
        return "timetable"
    if row.last_started is None or row.last_finished is None:
        return "first"
    if row.sources:
        return "news" if row.rate >= BREAKING else "sources"
    if row.pages:
        return "pages"
    if has_new(row, plan):
        ended = row.last_finished >= row.last_started
        again = row.last_started + (policy.leftovers if ended else policy.rest)
        if again <= now or row.last_started > now:
            return "found"
        wake.append(again)
    return None


def _rank(row: DueRow, now: datetime, policy: FleetPolicy) -> tuple[float, float]:
    """Sorts sites: those that starve first, the longest waiting before others; then those where most waits."""
    moments = [at for at in (row.overdue_since, row.last_started) if at is not None and at <= now]
    rate = row.rate if row.last_finished is not None else max(row.rate, UNKNOWN)
    waited = (now - max(moments)).total_seconds() if moments else 0.0
    if waited >= policy.starving.total_seconds():
        return 0.0, -waited
    expected = (rate + PAGE_WEIGHT * row.pages) * (waited + 60) / 3600
    return 1.0, -expected
