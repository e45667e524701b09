"""The state of the whole fleet in a few numbers: what is due, what runs, and the articles of the last hour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select, text

from newscrawl.storage.frontier.leases import SERVICE
from newscrawl.storage.monitoring.site_hours import hour_of
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
class LastHour:
    """The articles that were stored in the last complete hour, which began at `hour`. `usual` is the mean of the same
    hour of the last four weeks; None if nothing of those is stored."""

    hour: datetime
    stored: int
    usual: float | None


def work(connection: Connection, now: datetime) -> Work:
    """Returns what is due and what runs."""
    is_due = (pages.c.next_due <= now) & pages.c.state.in_(["fetched", "failed"])
    is_leased = (leases.c.expires > now) & leases.c.site.not_like(f"{SERVICE}%")
    return Work(
        due_sources=_number(connection, sources.c.id, sources.c.next_due <= now),
        due_pages=_number(connection, pages.c.id, is_due),
        announced=_number(connection, pages.c.id, pages.c.state == "found"),
        running=_number(connection, leases.c.site, is_leased),
        resting=_number(connection, hosts.c.key, hosts.c.not_before > now),
        in_review=_number(connection, review_queue.c.id),
    )


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
