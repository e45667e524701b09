"""The whole fleet: its machines with the sites that each process crawls, what is due and what comes next, whether
anything crawls, and the articles of the last hour."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, Subquery, Table, func, literal_column, select

from newscrawl.storage.engine.transactions import time_of
from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.frontier.hosts import is_resting
from newscrawl.storage.frontier.leases import SERVICE, Lease, in_force
from newscrawl.storage.machines import GONE_AFTER
from newscrawl.storage.monitoring import hours
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import hosts, sources
from newscrawl.storage.tables.frontier import sites as sites_table
from newscrawl.storage.tables.operations import MACHINE, processes, review_queue

LINES: Final = 100
"""Leases, and due sources or pages, that are listed."""
LISTED_OF: Final = (300, 20_000)
"""Due rows among which those of sites that are not paused are looked for: first few, and more if these are not
enough."""
MAX_COUNTED: Final = 10_000
"""Rows that are counted. A larger number is told as this one, and nobody waits for it."""
MAX_LOOKED_AT: Final = 20_000
"""Rows among which those of sites that are not paused are counted, the longest due first: twice as many, so that paused
sites seldom change a number."""
WEEKS: Final = 4
WEEK: Final = timedelta(days=7)


MachineState = Literal["crawling", "gone", "idle", "removed"]


@dataclass(frozen=True, slots=True)
class Process:
    """A process that crawls. `number` is its process id on the machine; `sites` are those under its lease now."""

    process: str
    number: str
    role: str
    version: str
    revision: str
    since: datetime
    last_seen: datetime
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine. It is `gone` if a process neither ended nor was seen lately, `idle` without processes, and `removed`
    if an operator declared it out of reach."""

    name: str
    state: MachineState
    since: datetime
    last_seen: datetime
    removed_at: datetime | None
    removed_by: str | None
    processes: tuple[Process, ...]


@dataclass(frozen=True, slots=True)
class Due:
    """A source or a page that is due, and since or from when. `kind` is that of the source, or "page"."""

    site: str
    url: str
    kind: str
    next_due: datetime


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


def machines(connection: Connection, now: datetime | None = None) -> list[Machine]:
    """Returns all machines that crawled with the database, by name. `now` None is the database's clock."""
    now = time_of(connection, now)
    crawled: defaultdict[str, list[str]] = defaultdict(list)
    for lease in _leases(connection, now):
        crawled[lease.owner].append(lease.site)
    found: list[Row[Any]] = []
    own: defaultdict[str, list[Process]] = defaultdict(list)
    columns = processes.c
    for row in connection.execute(select(processes).order_by(columns.machine, columns.since, columns.process)):
        if row.role == MACHINE:
            found.append(row)
            continue
        number = row.process.partition("/")[2].partition("/")[0]
        seen = (row.role, row.version, row.revision, row.since, row.last_seen)
        own[row.machine].append(Process(row.process, number, *seen, tuple(sorted(crawled[row.process]))))
    return [_machine(row, tuple(own[row.process]), now) for row in found]


def _machine(row: Row[Any], own: tuple[Process, ...], now: datetime) -> Machine:
    state: MachineState = "removed" if row.removed_at is not None else "idle"
    if own:
        state = "gone" if max(one.last_seen for one in own) <= now - GONE_AFTER else "crawling"
    return Machine(row.process, state, row.since, row.last_seen, row.removed_at, row.removed_by, own)


def leases_in_force(connection: Connection, now: datetime) -> Sequence[Lease]:
    """Returns the sites under a lease, those whose lease ends first at the beginning; at most `LINES`."""
    return sorted(_leases(connection, now), key=lambda lease: lease.expires)[:LINES]


def _leases(connection: Connection, now: datetime) -> list[Lease]:
    return [lease for lease in leases.active(connection, now).values() if not lease.site.startswith(SERVICE)]


def due_sources(connection: Connection, now: datetime) -> Sequence[Due]:
    """Returns the sources that are due first, without those of paused sites; at most `LINES`."""
    query = select(sources.c.site, sources.c.url, sources.c.kind, sources.c.next_due)
    return _listed(connection, query.where(sources.c.next_due.is_not(None)).order_by(sources.c.next_due), now)


def due_pages(connection: Connection, now: datetime) -> Sequence[Due]:
    """Returns the pages whose next visit is due first, without those of paused sites; at most `LINES`. A page that is
    gone is visited only if a source still names it, so it is not due."""
    query = select(pages.c.site, pages.c.url, literal_column("'page'").label("kind"), pages.c.next_due)
    query = query.where(pages.c.state.in_(["fetched", "failed"]), pages.c.next_due.is_not(None))
    return _listed(connection, query.order_by(pages.c.next_due), now)


def _listed(connection: Connection, query: Select[Any], now: datetime) -> Sequence[Due]:
    paused = set(connection.execute(sites.paused_sites(now)).scalars())
    found: list[Row[Any]] = []
    for looked_at in LISTED_OF:
        rows = connection.execute(query.limit(looked_at)).all()
        found = [row for row in rows if row.site not in paused]
        if len(found) >= LINES or len(rows) < looked_at:
            break
    return msgspec.convert(found[:LINES], list[Due], from_attributes=True)


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
    number, since = connection.execute(select(func.count(), func.min(found.c.next_due))).one()
    return int(number), since


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


def crawler(work: Work, known: Sequence[Machine], now: datetime) -> Crawler:
    """Returns whether anything crawls, given what is due and the machines."""
    last_seen = max((machine.last_seen for machine in known), default=None)
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
