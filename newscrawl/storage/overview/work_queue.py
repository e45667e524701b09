"""What is due next, who crawls what until when, and which hosts rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, select

from newscrawl.storage.frontier.leases import SERVICE
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import hosts, leases, sources

LINES: Final = 100


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
    """A host that gets no request before `not_before`. `since` is when it was last asked."""

    key: str
    since: datetime | None
    not_before: datetime
    failures: int
    backoff: float | None


def due_sources(connection: Connection) -> Sequence[DueLine]:
    """Returns the sources that are due first."""
    query = select(sources.c.site, sources.c.url, sources.c.kind, sources.c.next_due)
    query = query.where(sources.c.next_due.is_not(None)).order_by(sources.c.next_due).limit(LINES)
    return [DueLine(**row._asdict()) for row in connection.execute(query)]


def due_pages(connection: Connection) -> Sequence[DueLine]:
    """Returns the pages whose next visit is due first."""
    query = select(pages.c.site, pages.c.url, pages.c.next_due)
    query = query.where(pages.c.next_due.is_not(None)).order_by(pages.c.next_due).limit(LINES)
    return [DueLine(row.site, row.url, "page", row.next_due) for row in connection.execute(query)]


def lease_lines(connection: Connection, now: datetime) -> Sequence[LeaseLine]:
    """Returns the leases in force, those that end first at the beginning."""
    query = select(leases.c.site, leases.c.owner, leases.c.expires)
    query = query.where(leases.c.expires > now, leases.c.site.not_like(f"{SERVICE}%")).order_by(leases.c.expires)
    return [LeaseLine(row.site, row.owner or "", row.expires) for row in connection.execute(query.limit(LINES))]


def resting_hosts(connection: Connection, now: datetime) -> Sequence[RestingHost]:
    """Returns the hosts that rest, the longest first."""
    table = hosts.c
    query = select(table.key, table.last_request_at, table.not_before, table.failures, table.delay)
    query = query.where(table.not_before > now).order_by(table.not_before.desc()).limit(LINES)
    return [RestingHost(*row) for row in connection.execute(query)]
