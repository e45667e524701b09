"""The parts of one site: its sources, its hosts with their robots.txt, its latest addresses, and its alarms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from newscrawl.identity import registrable_domain
from newscrawl.scheduling.robots import authority_of
from newscrawl.storage.frontier.hosts import RobotsRow, load_robots, times_of
from newscrawl.storage.frontier.sites import IS_DECIDED, WAS_CRAWLED
from newscrawl.storage.monitoring.alarms import FLEET, Alarm, of_row, with_deliveries
from newscrawl.storage.tables.articles import captures, pages
from newscrawl.storage.tables.frontier import hosts, sites, sources
from newscrawl.storage.tables.operations import alarms

SOURCES: Final = 200
ADDRESSES: Final = 10
ALARMS: Final = 50
HOSTS: Final = 20
PAGES: Final = 2_000
"""Pages of a site without an archive among which its latest addresses are looked for."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A source of a site. `named` counts the addresses in all its answers, `new` those that no source had named before.
    `interval` is in seconds. A source is `retired` if it is requested rarely, only to see whether it is back."""

    url: str
    kind: str
    interval: float | None
    next_due: datetime | None
    last_fetched: datetime | None
    last_status: int | None
    last_new: datetime | None
    named: int
    new: int
    failures: int
    failure_kind: str | None
    failing_since: datetime | None
    retired_at: datetime | None
    moved_to: str | None


@dataclass(frozen=True, slots=True)
class HostLine:
    """A host of a site, or its registrable domain (`domain:`). `backoff`, `crawl_delay` and `latency` are in seconds.
    A host that failed gets no request before `not_before`. When it got its last request is known if it has not failed
    and no process has it now."""

    key: str
    last_request_at: datetime | None
    backoff: float | None
    crawl_delay: float | None
    latency: float | None
    not_before: datetime | None
    failures: int
    requests_today: int
    robots: RobotsRow | None = None


@dataclass(frozen=True, slots=True)
class AddressLine:
    """A lately fetched address of a site, and what came of it: an article, or a reason code."""

    url: str
    fetched_at: datetime | None
    article_id: int | None
    failure: str | None


def source_lines(connection: Connection, site: str) -> Sequence[SourceLine]:
    """Returns the sources of a site, failing ones first, then those that were due the longest; at most `SOURCES`."""
    names: Any = SourceLine.__dataclass_fields__
    query = select(*(sources.c[name] for name in names)).where(sources.c.site == site)
    query = query.order_by(sources.c.failures.desc(), sources.c.next_due, sources.c.id).limit(SOURCES)
    return [SourceLine(**row._asdict()) for row in connection.execute(query)]


def number_of_sources(connection: Connection, site: str) -> int:
    """Returns how many sources a site has."""
    return connection.execute(select(func.count()).select_from(sources).where(sources.c.site == site)).scalar_one()


def address_lines(connection: Connection, site: str) -> Sequence[AddressLine]:
    """Returns the addresses of a site that were fetched last, the newest first."""
    query = select(captures.c.url, captures.c.fetched_at, captures.c.article_id, captures.c.failure)
    query = query.where(captures.c.site == site).order_by(captures.c.fetched_at.desc()).limit(ADDRESSES)
    found = [AddressLine(**row._asdict()) for row in connection.execute(query)]
    if found:
        return found
    some = select(pages).where(pages.c.site == site, pages.c.state != "found").limit(PAGES).subquery()
    query = select(some.c.url, some.c.last_fetched, some.c.article_id, some.c.failure_kind)
    rows = connection.execute(query.order_by(some.c.last_fetched.desc()).limit(ADDRESSES))
    return [AddressLine(*row) for row in rows]


def host_lines(connection: Connection, urls: Iterable[str], now: datetime) -> tuple[Sequence[HostLine], int]:
    """Returns the stored hosts of the addresses and their registrable domains, each once, at most `HOSTS`; and how many
    are left out."""
    keys = list(dict.fromkeys(key for url in urls for key in _keys(url)))
    rows = {row.key: row for row in connection.execute(select(hosts).where(hosts.c.key.in_(keys)))}
    stored = [rows[key] for key in keys if key in rows]
    return [_host_line(connection, row, now) for row in stored[:HOSTS]], len(stored[HOSTS:])


def _host_line(connection: Connection, row: Row[Any], now: datetime) -> HostLine:
    asked_at, rests_until = times_of(row, now)
    return HostLine(
        row.key,
        asked_at,
        row.backoff,
        row.crawl_delay,
        row.latency,
        rests_until,
        row.failures,
        row.requests_today,
        robots=load_robots(connection, row.key) if "://" in row.key else None,
    )


def alarm_history(connection: Connection, site: str) -> Sequence[Alarm]:
    """Returns the alarms of a site, open and closed, the newest first; at most `ALARMS`."""
    query = select(alarms).where(alarms.c.site == site).order_by(alarms.c.opened_at.desc(), alarms.c.id.desc())
    return with_deliveries(connection, map(of_row, connection.execute(query.limit(ALARMS))))


def is_known(connection: Connection, site: str) -> bool:
    """Returns whether the list of sites has the site, or had it: whether the database has a page, a source, a crawl, an
    alarm or a pause of it. The name of the whole fleet is no site."""
    rows = [select(table.c.site) for table in (pages, sources, alarms)]
    rows += [select(sites.c.site).where(WAS_CRAWLED), select(sites.c.site).where(IS_DECIDED)]
    return site != FLEET and any(
        connection.execute(query.where(query.selected_columns.site == site).limit(1)).first() for query in rows
    )


def _keys(url: str) -> Iterable[str]:
    try:
        yield authority_of(url)
    except ValueError:
        return
    yield f"domain:{registrable_domain(url)}"
