"""The work that is due next, the leases of sites, and the hosts that rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, select

from newscrawl.storage.frontier import sites
from newscrawl.storage.frontier.hosts import is_resting
from newscrawl.storage.frontier.leases import SERVICE, in_force
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import hosts, sources
from newscrawl.storage.tables.frontier import sites as sites_table

LINES: Final = 100
LOOKED_AT: Final = (300, 20_000)
"""Rows among which those of sites that are not paused are looked for: first few, and more if these are not enough."""


@dataclass(frozen=True, slots=True)
class DueLine:
    """A source or a page that is due, and since or from when. `kind` is that of the source, or "page"."""

    site: str
    url: str
    kind: str
    next_due: datetime


@dataclass(frozen=True, slots=True)
class LeaseLine:
    """A site under a lease, with the process that has it and the end of the lease."""

    site: str
    owner: str
    expires: datetime


@dataclass(frozen=True, slots=True)
class RestingHost:
    """A host that failed and gets no request before `not_before`. `since` is when it was last asked, None if that is
    not known."""

    key: str
    since: datetime | None
    not_before: datetime
    failures: int
    backoff: float | None


def due_sources(connection: Connection, now: datetime) -> Sequence[DueLine]:
    """Returns the sources that are due first, without those of paused sites."""
    query = select(sources.c.site, sources.c.url, sources.c.kind, sources.c.next_due)
    query = query.where(sources.c.next_due.is_not(None)).order_by(sources.c.next_due)
    return [DueLine(**row._asdict()) for row in _of_crawled(connection, query, now)]


def due_pages(connection: Connection, now: datetime) -> Sequence[DueLine]:
    """Returns the pages whose next visit is due first, without those of paused sites. A page that is gone is visited
    only if a source still names it, so it is not due."""
    query = select(pages.c.site, pages.c.url, pages.c.next_due).where(pages.c.state.in_(["fetched", "failed"]))
    query = query.where(pages.c.next_due.is_not(None)).order_by(pages.c.next_due)
    return [DueLine(row.site, row.url, "page", row.next_due) for row in _of_crawled(connection, query, now)]


def _of_crawled(connection: Connection, query: Select[Any], now: datetime) -> Sequence[Row[Any]]:
    """Returns the first rows that belong to sites which are not paused; at most `LINES`."""
    paused = set(connection.execute(sites.paused_sites(now)).scalars())
    found: list[Row[Any]] = []
    for looked_at in LOOKED_AT:
        rows = connection.execute(query.limit(looked_at)).all()
        found = [row for row in rows if row.site not in paused]
        if len(found) >= LINES or len(rows) < looked_at:
            break
    return found[:LINES]


def lease_lines(connection: Connection, now: datetime) -> Sequence[LeaseLine]:
    """Returns the leases in force, those that end first at the beginning."""
    table = sites_table.c
    query = select(table.site, table.owner, table.expires).where(in_force(now), table.site.not_like(f"{SERVICE}%"))
    rows = connection.execute(query.order_by(table.expires).limit(LINES))
    return [LeaseLine(**row._asdict()) for row in rows]


def resting_hosts(connection: Connection, now: datetime) -> Sequence[RestingHost]:
    """Returns the hosts that rest, the longest first."""
    query = select(hosts).where(is_resting(now)).order_by(hosts.c.next_at.desc()).limit(LINES)
    return [
        RestingHost(row.key, None, datetime.fromtimestamp(row.next_at, UTC), row.failures, row.backoff)
        for row in connection.execute(query)
    ]
