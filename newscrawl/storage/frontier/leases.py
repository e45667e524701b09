"""Leases of sites (columns of the table `sites`): only one process at a time crawls a site, however many use one
database.

A lease expires when its owner stops renewing it (kill -9), so nothing has to be cleaned up. It is measured by the
database's clock, because those of several machines differ: functions take `now` None for that clock, and another time
in tests. The fencing token grows with every new owner, and every write of a crawl carries it: a write of a process that
slept past the end of its lease is refused once another process owns the site (`fenced`). A new owner waits for the
transactions of the former one that have read their token. Each change is one statement
with the conditions that must still be true, so concurrent processes do not disturb it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import ColumnElement, Connection, or_, select, update

from newscrawl.errors import LeaseLost, SiteLeased
from newscrawl.storage.engine.sql import insert, rows_among
from newscrawl.storage.engine.transactions import time_of
from newscrawl.storage.tables.frontier import sites

SERVICE: Final = "fleet:"
"""Begins the name of a lease that is not of a site, but of work that one process does for all. No site has it."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of `owner` to crawl `site` until `expires`. `token` is larger than that of any earlier owner."""

    site: str
    owner: str
    token: int
    expires: datetime


def acquire(connection: Connection, site: str, owner: str, now: datetime | None, duration: timedelta) -> Lease | None:
    """Takes and returns the lease; None if a process has it. If that is `owner` itself, it must renew the lease
    instead."""
    now = time_of(connection, now)
    expires = now + duration
    statement = insert(connection, sites).values(site=site, owner=owner, token=1, expires=expires)
    acquired = statement.on_conflict_do_update(
        index_elements=["site"],
        set_={"owner": owner, "token": sites.c.token + 1, "expires": expires},
        where=or_(sites.c.expires.is_(None), sites.c.expires <= now),
    )
    token = connection.execute(acquired.returning(sites.c.token)).scalar()
    return Lease(site, owner, int(token), expires) if token is not None else None


def take(
    connection: Connection,
    site: str,
    owner: str,
    now: datetime | None,
    duration: timedelta,
    is_dead: Callable[[str], bool],
) -> Lease:
    """Takes and returns the lease, also from an owner of which `is_dead` is true. Raises SiteLeased when an owner who
    may be alive holds it."""
    now = time_of(connection, now)
    lease = acquire(connection, site, owner, now, duration)
    if lease is None:
        current = active(connection, now).get(site)
        if current is not None and is_dead(current.owner):
            release(connection, current)
            lease = acquire(connection, site, owner, now, duration)
        if lease is None:
            raise SiteLeased(site, current.owner if current else "another process", current.expires if current else now)
    return lease


def renew(connection: Connection, lease: Lease, now: datetime | None, duration: timedelta) -> Lease | None:
    """Returns the lease with a later end; None if it was lost, so that the crawl of its site must end.

    A lease that expired and that nobody else took still belongs to its owner.
    """
    expires = time_of(connection, now) + duration
    renewed = update(sites).where(*_is(lease)).values(expires=expires)
    return replace(lease, expires=expires) if connection.execute(renewed).rowcount == 1 else None


def release(connection: Connection, lease: Lease) -> bool:
    """Ends the lease; returns False if it had been lost before. The token stays, so that it never decreases."""
    ended = update(sites).where(*_is(lease)).values(owner=None, expires=None)
    return connection.execute(ended).rowcount == 1


def release_dead(connection: Connection, now: datetime | None, is_dead: Callable[[str], bool]) -> list[str]:
    """Ends the leases in force of which `is_dead` is true of the owner; returns their sites."""
    found = [lease for lease in active(connection, now).values() if is_dead(lease.owner)]
    return [lease.site for lease in found if release(connection, lease)]


def fenced(
    connection: Connection,
    lease: Lease,
    transaction: Callable[Concatenate[Connection, P], T],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Returns `transaction(connection, ...)`, which the owner of the lease runs. Raises LeaseLost if another process
    has become the owner meanwhile; then nothing is written."""
    if lost(connection, [lease]):
        raise LeaseLost(lease.site)
    return transaction(connection, *args, **kwargs)


def lost(connection: Connection, owned: Iterable[Lease]) -> set[Lease]:
    """Returns those leases whose site has had another owner since. Call it in the transaction that writes what the
    leases allow: an owner changes only in such a transaction, so the owners stay until its commit. An expired lease
    that nobody else took is not lost."""
    wanted = set(owned)
    rows = rows_among(connection, select(sites.c.site, sites.c.token), sites.c.site, (one.site for one in wanted))
    tokens = {row.site: row.token for row in rows}
    return {lease for lease in wanted if tokens.get(lease.site) != lease.token}


def active(connection: Connection, now: datetime | None) -> dict[str, Lease]:
    """Returns the valid leases, by site."""
    columns = (sites.c.site, sites.c.owner, sites.c.token, sites.c.expires)
    query = select(*columns).where(in_force(time_of(connection, now)))
    return {row.site: Lease(**row._asdict()) for row in connection.execute(query)}


def in_force(now: datetime) -> ColumnElement[bool]:
    """Returns the condition of the rows of `sites` with a valid lease. Its first part names their index."""
    return sites.c.owner.is_not(None) & (sites.c.expires > now)


def _is(lease: Lease) -> tuple[Any, ...]:
    return sites.c.site == lease.site, sites.c.owner == lease.owner, sites.c.token == lease.token
