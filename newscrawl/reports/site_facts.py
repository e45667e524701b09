"""The facts of every site, from which the list of sites is made: few rows of each table, none of pages or articles; and
those of one site."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, select

from newscrawl.scheduling.site_state import SiteControl
from newscrawl.storage.engine.sql import distinct
from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.frontier.sites import WAS_CRAWLED, Locale
from newscrawl.storage.monitoring import alarms, hours, review_queue
from newscrawl.storage.monitoring.alarms import FLEET, Alarm
from newscrawl.storage.monitoring.hours import NOTHING, Activity
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import sites as sites_table
from newscrawl.storage.tables.frontier import sources


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """The sources of a site: their number, how many fail, when the next is due, and when one was last read without an
    error."""

    number: int = 0
    failing: int = 0
    next_due: datetime | None = None
    last_good: datetime | None = None


NO_SOURCES = SourceFacts()
UNKNOWN = Locale()


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """A site. `day` is its last 24 hours; `requests_today` counts those of the UTC day."""

    site: str
    day: Activity = NOTHING
    alarms: tuple[Alarm, ...] = ()
    control: SiteControl | None = None
    sources: SourceFacts = NO_SOURCES
    in_review: int = 0
    requests_today: int = 0
    last_started: datetime | None = None
    crawled_by: str | None = None
    locale: Locale = UNKNOWN


def all_sites(connection: Connection, now: datetime) -> list[SiteFacts]:
    """Returns every site that has pages, was crawled, has sources or an open alarm, by name."""
    days, of_sources, ran = hours.last_day(connection, now), _sources(connection), _crawls(connection)
    alarmed: dict[str, list[Alarm]] = {}
    for alarm in alarms.open_alarms(connection):
        alarmed.setdefault(alarm.site, []).append(alarm)
    controls, reviewed = sites.controls(connection), review_queue.counts(connection)
    locales = sites.locales(connection)
    owners = {site: lease.owner for site, lease in leases.active(connection, now).items()}
    active = {name for name, day in days.items() if day != replace(NOTHING, newest_article=day.newest_article)}
    names = {*distinct(connection, pages.c.site), *ran, *active, *of_sources, *controls, *alarmed} - {FLEET}
    today = now.astimezone(UTC).date()
    found = []
    for name in sorted(names):
        row = ran.get(name)
        is_today = row is not None and row.day is not None and today <= row.day <= today + hours.DAY
        found.append(
            SiteFacts(
                site=name,
                day=days.get(name, NOTHING),
                alarms=tuple(alarmed.get(name, ())),
                control=controls.get(name),
                sources=of_sources.get(name, NO_SOURCES),
                in_review=reviewed.get(name, 0),
                requests_today=row.requests_today if row is not None and is_today else 0,
                last_started=row.last_started if row is not None else None,
                crawled_by=owners.get(name),
                locale=locales.get(name, UNKNOWN),
            )
        )
    return found


def of_site(connection: Connection, site: str, now: datetime) -> SiteFacts:
    """Returns the facts of one site, by which `site_states` judges it: all but its requests of today, its owner and
    what it declares."""
    crawled = connection.execute(select(sites_table.c.last_started).where(sites_table.c.site == site)).scalar()
    return SiteFacts(
        site=site,
        day=hours.last_day(connection, now, site).get(site, NOTHING),
        alarms=tuple(alarms.open_alarms(connection, site)),
        control=sites.control(connection, site),
        sources=_sources(connection, site).get(site, NO_SOURCES),
        in_review=review_queue.counts(connection, site).get(site, 0),
        last_started=crawled,
    )


def _crawls(connection: Connection) -> dict[str, Any]:
    table = sites_table.c
    query = select(table.site, table.day, table.requests_today, table.last_started).where(WAS_CRAWLED)
    return {row.site: row for row in connection.execute(query)}


def _sources(connection: Connection, site: str | None = None) -> dict[str, SourceFacts]:
    read, is_failing = sources.c, sources.c.failures > 0
    query = select(
        read.site,
        func.count().label("number"),
        func.count().filter(is_failing).label("failing"),
        func.min(read.next_due).label("next_due"),
        func.max(read.last_fetched).filter(~is_failing).label("last_good"),
    ).group_by(read.site)
    return {
        row.site: SourceFacts(row.number, row.failing, _aware(row.next_due), _aware(row.last_good))
        for row in connection.execute(query if site is None else query.where(read.site == site))
    }


def _aware(moment: datetime | None) -> datetime | None:
    """Returns the moment in UTC, also where a function of SQL has lost the column's type."""
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
