"""The state of the whole fleet in a few numbers: what is due, what runs, whether anything crawls, and the articles of
the last hour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Connection, Select, Subquery, Table, func, literal_column, select, text

from newscrawl.reports import CrawlingMachine
from newscrawl.storage.frontier import sites
from newscrawl.storage.frontier.hosts import is_resting
from newscrawl.storage.frontier.leases import SERVICE, in_force
from newscrawl.storage.machines.registered import GONE_AFTER
from newscrawl.storage.monitoring import hours
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import hosts, sources
from newscrawl.storage.tables.frontier import sites as sites_table
from newscrawl.storage.tables.operations import review_queue

MAX_COUNTED: Final = 10_000
"""Rows that are counted. A larger number is told as this one, and nobody waits for it."""
MAX_LOOKED_AT: Final = 20_000
"""Rows among which those of sites that are not paused are counted, the longest due first: twice as many, so that paused
sites seldom change a number."""
WEEKS: Final = 4
WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Work:
    """The work that is due now, and the crawls that run. Numbers end at `MAX_COUNTED`, and leave out paused sites.
    `announced` pages were never fetched. `due_since` is since when the oldest source or page is due. `resting` hosts
    asked for a pause that is not over."""

    due_sources: int
    due_pages: int
    announced: int
    due_since: datetime | None
    running: int
    resting: int
    in_review: int


@dataclass(frozen=True, slots=True)
class Crawler:
    """Whether anything crawls. `state` is "crawling" if a site is crawled now or a machine was seen in the last three
    minutes; otherwise "stopped" if work waits, and "idle" if none does. `last_seen` is when a machine was seen last,
    null if none ever was."""

    state: Literal["crawling", "stopped", "idle"]
    last_seen: datetime | None


@dataclass(frozen=True, slots=True)
class LastHour:
    """The articles that were stored in the last complete hour, which began at `hour`. `usual` is the mean of the same
    hour of the last four weeks; None if nothing of those is stored."""

    hour: datetime
    stored: int
    usual: float | None


def work(connection: Connection, now: datetime) -> Work:
    """Returns what is due and what runs."""
    is_due_page = (pages.c.next_due <= now) & pages.c.state.in_(["fetched", "failed"])
    is_leased = in_force(now) & sites_table.c.site.not_like(f"{SERVICE}%")
    due_sources, sources_since = _due(connection, sources, sources.c.next_due <= now, now)
    due_pages, pages_since = _due(connection, pages, is_due_page, now)
    return Work(
        due_sources=due_sources,
        due_pages=due_pages,
        announced=_announced(connection, now),
        due_since=min(filter(None, (sources_since, pages_since)), default=None),
        running=_number(connection, sites_table.c.site, is_leased),
        resting=_number(connection, hosts.c.key, is_resting(now)),
        in_review=_number(connection, review_queue.c.id),
    )


def _due(
    connection: Connection, table: Table, is_due: ColumnElement[bool], now: datetime
) -> tuple[int, datetime | None]:
    """Returns how many rows of sites that are not paused are due, and since when the oldest is."""
    looked_at = select(table.c.site, table.c.next_due).where(is_due).order_by(table.c.next_due).limit(MAX_LOOKED_AT)
    found = _of_crawled(looked_at, now)
    row = connection.execute(select(func.count(), func.min(found.c.next_due))).one()
    since = row[1]
    return int(row[0]), since.replace(tzinfo=UTC) if since is not None and since.tzinfo is None else since


def _announced(connection: Connection, now: datetime) -> int:
    # Written out, not bound: a planner does not know that a parameter has the value of the partial index. The second
    # condition is always true. Without it SQLite walks another index of all pages, because that has all columns.
    is_found = (pages.c.state == literal_column("'found'")) & (pages.c.failures >= 0)
    looked_at = select(pages.c.site).where(is_found).limit(MAX_LOOKED_AT)
    return int(connection.execute(select(func.count()).select_from(_of_crawled(looked_at, now))).scalar_one())


def _of_crawled(looked_at: Select[Any], now: datetime) -> Subquery:
    """Returns those of the rows that belong to sites which are not paused, at most `MAX_COUNTED`."""
    some = looked_at.subquery()
    crawled = some.c.site.not_in(sites.paused_sites(now))
    return select(some).where(crawled).limit(MAX_COUNTED).subquery()


def crawler(work: Work, machines: Sequence[CrawlingMachine], now: datetime) -> Crawler:
    """Returns whether anything crawls, given what is due and the machines."""
    last_seen = max((machine.last_seen for machine in machines), default=None)
    if work.running or (last_seen is not None and last_seen > now - GONE_AFTER):
        return Crawler("crawling", last_seen)
    has_work = work.due_sources or work.due_pages or work.announced
    return Crawler("stopped" if has_work else "idle", last_seen)


def last_hour(connection: Connection, now: datetime) -> LastHour:
    """Returns the articles of the last complete hour, and what is usual at that time of the week."""
    hour = hours.hour_of(now) - hours.HOUR
    earlier = [hour - WEEK * number for number in range(1, WEEKS + 1)]
    stored = hours.stored_in(connection, [hour, *earlier])
    known = [stored[one] for one in earlier if one in stored]
    return LastHour(hour, stored.get(hour, 0), sum(known) / len(known) if known else None)


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
