"""The state of the whole fleet in a few numbers: what is due, what runs, whether anything crawls, and the articles of
the last hour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Connection, func, select, text

from newscrawl.storage.frontier.leases import SERVICE
from newscrawl.storage.machines.registered import GONE_AFTER
from newscrawl.storage.monitoring.site_hours import hour_of
from newscrawl.storage.reports import CrawlingMachine
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import hosts, leases, sources
from newscrawl.storage.tables.hours import site_hours
from newscrawl.storage.tables.review import review_queue

MAX_COUNTED: Final = 10_000
"""Rows that are counted. A larger number is told as this one, and nobody waits for it."""
WEEKS: Final = 4
WEEK: Final = timedelta(days=7)
HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Work:
    """What is due now and what runs. Numbers end at `MAX_COUNTED`. `announced` pages were never fetched, `resting`
    hosts asked for a pause that is not over."""

    due_sources: int
    due_pages: int
    announced: int
    running: int
    resting: int
    in_review: int


@dataclass(frozen=True, slots=True)
class Crawler:
    """Whether anything crawls. `state` is "crawling" if a site is crawled now or a machine was seen in the last three
    minutes; otherwise "stopped" if work waits, and "idle" if none does. `last_seen` is when a machine was seen last,
    null if none ever was. `due_since` is since when the oldest source or page is due."""

    state: Literal["crawling", "stopped", "idle"]
    last_seen: datetime | None
    due_since: datetime | None


@dataclass(frozen=True, slots=True)
class LastHour:
    """The articles that were stored in the last complete hour, which began at `hour`. `usual` is the mean of the same
    hour of the last four weeks; None if nothing of those is stored."""

    hour: datetime
    stored: int
    usual: float | None


def work(connection: Connection, now: datetime) -> Work:
    """Returns what is due and what runs."""
    is_leased = (leases.c.expires > now) & leases.c.site.not_like(f"{SERVICE}%")
    return Work(
        due_sources=_number(connection, sources.c.id, sources.c.next_due <= now),
        due_pages=_number(connection, pages.c.id, _is_due_page(now)),
        announced=_number(connection, pages.c.id, pages.c.state == "found"),
        running=_number(connection, leases.c.site, is_leased),
        resting=_number(connection, hosts.c.key, hosts.c.not_before > now),
        in_review=_number(connection, review_queue.c.id),
    )


def crawler(connection: Connection, work: Work, machines: Sequence[CrawlingMachine], now: datetime) -> Crawler:
    """Returns whether anything crawls, given what is due and the machines."""
    last_seen = max((machine.last_seen for machine in machines), default=None)
    is_seen = last_seen is not None and last_seen > now - GONE_AFTER
    due_since = _due_since(connection, now)
    if work.running or is_seen:
        return Crawler("crawling", last_seen, due_since)
    return Crawler("stopped" if due_since is not None or work.announced else "idle", last_seen, due_since)


def _due_since(connection: Connection, now: datetime) -> datetime | None:
    """Returns since when the oldest source or page is due; one row of an index each."""
    columns = ((sources.c.next_due, sources.c.next_due <= now), (pages.c.next_due, _is_due_page(now)))
    oldest = (select(column).where(is_due).order_by(column).limit(1) for column, is_due in columns)
    return min(filter(None, (connection.execute(query).scalar() for query in oldest)), default=None)


def _is_due_page(now: datetime) -> ColumnElement[bool]:
    return (pages.c.next_due <= now) & pages.c.state.in_(["fetched", "failed"])


def last_hour(connection: Connection, now: datetime) -> LastHour:
    """Returns the articles of the last complete hour, and what is usual at that time of the week."""
    hour = hour_of(now) - HOUR
    earlier = [hour - WEEK * number for number in range(1, WEEKS + 1)]
    stored = _stored(connection, [hour, *earlier])
    known = [stored[one] for one in earlier if one in stored]
    return LastHour(hour, stored.get(hour, 0), sum(known) / len(known) if known else None)


def _stored(connection: Connection, hours: list[datetime]) -> Mapping[datetime, int]:
    query = select(site_hours.c.hour, func.sum(site_hours.c.stored).label("number")).where(site_hours.c.hour.in_(hours))
    return {row.hour: int(row.number) for row in connection.execute(query.group_by(site_hours.c.hour))}


def _number(connection: Connection, column: Any, *conditions: ColumnElement[bool]) -> int:
    """Returns how many rows there are, at most `MAX_COUNTED`."""
    found = select(column).where(*conditions).limit(MAX_COUNTED).subquery()
    return int(connection.execute(select(func.count()).select_from(found)).scalar_one())


def database_bytes(connection: Connection) -> int:
    """Returns the size of the database in bytes, without its write-ahead log."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    pages_of_file = connection.execute(text("PRAGMA page_count")).scalar_one()
    return int(pages_of_file) * int(connection.execute(text("PRAGMA page_size")).scalar_one())
