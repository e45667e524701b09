"""The crawls of a site: the begin and the end of each, its row in `runs`, the number of its requests, and the daily
limit of never-fetched addresses with its alarm.

A crawl begins in one transaction and ends in one: its lease, the times of the site, the row of the crawl, what is left
of the limit. How the limit is made of a site's days is in newscrawl.crawling.scheduling.site_state. `name` is the
name of the crawl's lease.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, func, select, update

from newscrawl.crawling.scheduling.site_state import Allowance, allowance, day_of, usual_day
from newscrawl.model import SourceType
from newscrawl.model.wording import counted
from newscrawl.storage.frontier import leases, sites, sources
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.frontier.source_state import SourceFailure
from newscrawl.storage.monitoring import alarms, hours
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.records import GENERIC_SITE, PlanSource
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import REQUESTED
from newscrawl.storage.tables.operations import runs

logger = logging.getLogger(__name__)

UNREAD: Final = "source/not_read"
"""Failure of a source that is due and that a whole crawl did not read: it is no longer declared, or was a front
page."""
KEEP: Final = 500
"""Rows of a site's crawls that are kept. `newscrawl run` makes hundreds a day."""
PRUNE_EVERY: Final = 50
ALARM: Final = "new_pages"
"""The kind of the alarm that the limit is reached."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A crawl that wants to begin at `began`. `name` is that of its lease, which `owner` takes for `duration`;
    `is_dead` knows owners that are not alive. `least_new` is the minimum of the limit; None without a limit. In a
    fleet, the site's times are noted, and with `compares` the comparison of its front page is planned."""

    site: str
    name: str
    owner: str
    began: datetime
    duration: timedelta
    is_dead: Callable[[str], bool]
    least_new: int | None
    in_fleet: bool = False
    compares: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """A crawl that has begun: its lease, the number of its row, and how many never-fetched addresses it may request
    (None without a limit). With `is_comparison_due` the front page is compared with the sources."""

    lease: Lease
    run: int
    allowance: Allowance | None
    is_comparison_due: bool = False


def begin(connection: Connection, crawl: Beginning, now: datetime | None = None) -> Begun:
    """Takes the lease, as leases.take does, and notes that the crawl begins. Raises SiteLeased. `now` None is the
    database's clock, which measures leases."""
    lease = leases.take(connection, crawl.name, crawl.owner, now, crawl.duration, crawl.is_dead)
    run = add_run(connection, crawl.site, crawl.began)
    left = new_pages_left(connection, crawl.name, crawl.least_new, crawl.began)
    if not crawl.in_fleet:
        return Begun(lease, run, left)
    sites.note_start(connection, crawl.site, crawl.began)
    return Begun(lease, run, left, crawl.compares and sites.comparison_due(connection, crawl.site, crawl.began))


def end(
    connection: Connection,
    crawl: Begun,
    began: datetime,
    ended: datetime,
    counters: Mapping[str, object],
    *,
    is_over: bool,
    home: str,
    plan: PlanSource | None = None,
) -> None:
    """Notes that a crawl of a fleet has ended, and ends its lease. The site's row, on which the requests of other
    processes may wait, is written last.

    Without `is_over`, the next process goes on with the crawl. `plan` is given after a whole crawl; `home` is the
    site's front page.
    """
    site = crawl.lease.site
    finish_run(connection, crawl.run, ended, counters)
    if is_over:
        if plan is not None:
            leave_unread(connection, site, home, began, ended, plan)
        sites.note_finish(connection, site, ended)
    leases.release(connection, crawl.lease)


def leave_unread(
    connection: Connection, site: str, home: str, began: datetime, now: datetime, plan: PlanSource
) -> None:
    """Plans the sources that a whole crawl did not read. A source that was due before the crawl and still is will never
    be read and would keep the site due endlessly. It is recorded as failed, tried less and less often, and retired. A
    site with no planned source left gets its front page `home` as one."""
    unread = [(row.url, row.kind) for row in sources.due(connection, began, site=site)]
    sources.record(connection, [_unread(site, *one, now, plan) for one in unread])
    if not any(row.next_due is not None for row in sources.load_site(connection, site)):
        sources.record(connection, [_unread(site, home, "start", now, plan)])


def _unread(site: str, url: str, kind: SourceType, now: datetime, plan: PlanSource) -> SourceFailure:
    return SourceFailure(site, url, kind, UNREAD, None, now, plan, was_sent=False)


def add_run(connection: Connection, site: str, now: datetime) -> int:
    """Stores the row of a crawl that begins and returns its number. Now and then the oldest rows of the site are
    deleted."""
    inserted = connection.execute(runs.insert().values(site=site, started=now).returning(runs.c.id))
    number = int(inserted.scalar_one())
    if number % PRUNE_EVERY == 0:
        of_site = select(runs.c.started).where(runs.c.site == site).order_by(runs.c.started.desc())
        oldest = of_site.offset(KEEP - 1).limit(1).scalar_subquery()
        connection.execute(delete(runs).where(runs.c.site == site, runs.c.started < oldest))
    return number


def finish_run(connection: Connection, run: int, now: datetime, counters: Mapping[str, object]) -> None:
    """Stores the end of a crawl with those of its counters that are whole numbers."""
    numbers = {name: number for name, number in counters.items() if isinstance(number, int)}
    connection.execute(update(runs).where(runs.c.id == run).values(finished=now, counters=numbers))


def count_requests(
    connection: Connection, of_sites: Mapping[str, int], new_pages: Mapping[str, int], now: datetime
) -> None:
    """Adds numbers of requests by site, and of never-fetched addresses by the name of the crawl's lease. Rows are
    written in one order, so that two processes never wait for each other. `now` is the time of the process's clock."""
    for site, number in sorted(of_sites.items()):
        sites.count_requests(connection, site, number, now)
    tally = hours.Tally()
    for name, number in new_pages.items():
        tally.count(name, now, REQUESTED, number)
    tally.write(connection)


def new_pages_left(connection: Connection, name: str, least: int | None, now: datetime) -> Allowance | None:
    """Returns how many never-fetched addresses the site may still request today; None without a limit (`least` is
    None, or a command set a budget in place of it).

    The alarm ends if the limit is no longer reached, or was reached neither today nor yesterday.
    """
    control = sites.control(connection, name)
    if control is not None and control.daily_requests is not None:
        least = None
    days = hours.days_of(connection, name, now)
    left_today = allowance(days, now, least) if least is not None else None
    if left_today is None or left_today.left:
        hours.lift(connection, name, now)  # the limit was raised or removed
    yesterday = day_of(now) - timedelta(days=1)
    lately = any(day.limit_reached is not None for day in days if day.day >= yesterday)
    if left_today is None or (left_today.left and not lately):
        for alarm in alarms.keep_one(connection, name, ALARM, None, now).closed:
            logger.warning("alarm over: %s: %s", name, alarm.message)
    return left_today


def note_reached(connection: Connection, name: str, bound: int, now: datetime) -> Alarm | None:
    """Notes that the site has requested `bound` addresses today and others wait. Returns the alarm if it was opened
    now, at most once a day, else None."""
    is_first = hours.reach(connection, name, bound, now)
    if not is_first and alarms.open_alarm(connection, name, ALARM) is None:
        return None
    wanted = Alarm(name, ALARM, "warning", now, now, _message(connection, name, bound, now), {"bound": bound})
    return next(iter(alarms.keep_one(connection, name, ALARM, wanted, now).opened), None)


def _message(connection: Connection, name: str, bound: int, now: datetime) -> str:
    usual = usual_day(hours.days_of(connection, name, now), day_of(now))
    usually = f"its usual day has {usual:g} new articles" if usual else "its usual day is not known yet"
    is_site = not name.startswith(f"{GENERIC_SITE}:")
    waiting = select(func.count()).where(pages.c.site == name, pages.c.state == "found")
    number = connection.execute(waiting).scalar_one()
    wait = counted(number, "page waits", "pages wait") if is_site else "others wait"
    return (
        f"the limit of {counted(bound, 'address', 'addresses')} never fetched before is reached for {day_of(now)} "
        f"(UTC) ({usually}); {wait}, and the newest will be fetched first; usual causes are calendars and session ids; "
        'daily_requests = "unlimited" in the declaration removes the limit'
    )
