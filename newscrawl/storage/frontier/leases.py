"""Leases of sites: only one process at a time crawls a site, however many use one database.

A lease expires when its owner stops renewing it (kill -9), so nothing has to be cleaned up. Its fencing token grows
with every new owner: a process that slept past the end of its lease sees that the token is no longer its own. Each
change is one statement with the conditions that must still be true, so concurrent processes do not disturb it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, or_, select, update

from newscrawl.errors import SiteLeased
from newscrawl.storage.engine.upsert import insert
from newscrawl.storage.tables.schema import leases


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of `owner` to crawl `site` until `expires`. `token` is larger than that of any earlier owner."""

    site: str
    owner: str
    token: int
    expires: datetime


def acquire(connection: Connection, site: str, owner: str, now: datetime, duration: timedelta) -> Lease | None:
    """Takes and returns the lease; None if anybody has it, also the same owner, who must renew it instead."""
    expires = now + duration
    statement = insert(connection, leases).values(site=site, owner=owner, token=1, expires=expires)
    acquired = statement.on_conflict_do_update(
        index_elements=["site"],
        set_={"owner": owner, "token": leases.c.token + 1, "expires": expires},
        where=or_(leases.c.expires.is_(None), leases.c.expires <= now),
    )
    token = connection.execute(acquired.returning(leases.c.token)).scalar()
    return Lease(site, owner, int(token), expires) if token is not None else None


def take(
    connection: Connection, site: str, owner: str, now: datetime, duration: timedelta, is_dead: Callable[[str], bool]
) -> Lease:
    """Takes and returns the lease, also from an owner of which `is_dead` is true. Raises SiteLeased when an owner who
    may be alive holds it."""
    lease = acquire(connection, site, owner, now, duration)
    if lease is None:
        held = active(connection, now).get(site)
        if held is not None and is_dead(held.owner):
            release(connection, held)
            lease = acquire(connection, site, owner, now, duration)
        if lease is None:
            raise SiteLeased(site, held.owner if held else "another process", held.expires if held else now)
    return lease


def renew(connection: Connection, lease: Lease, now: datetime, duration: timedelta) -> Lease | None:
    """Returns the lease with a later end; None if it was lost, so that the crawl of its site must end.

    A lease that expired and that nobody else took still belongs to its owner.
    """
    expires = now + duration
    renewed = update(leases).where(*_is(lease)).values(expires=expires)
    return replace(lease, expires=expires) if connection.execute(renewed).rowcount == 1 else None


def release(connection: Connection, lease: Lease) -> bool:
    """Ends the lease; returns False if it had been lost before. The token stays, so that it never decreases."""
    ended = update(leases).where(*_is(lease)).values(owner=None, expires=None)
    return connection.execute(ended).rowcount == 1


def release_dead(connection: Connection, now: datetime, is_dead: Callable[[str], bool]) -> list[str]:
    """Ends the leases in force of which `is_dead` is true of the owner; returns their sites."""
    found = [lease for lease in active(connection, now).values() if is_dead(lease.owner)]
    return [lease.site for lease in found if release(connection, lease)]


def holds(connection: Connection, lease: Lease, now: datetime) -> bool:
    """Returns whether the lease is still valid. Call it in the transaction that writes what the lease allows."""
    query = select(leases.c.token).where(*_is(lease), leases.c.expires > now)
    return connection.execute(query).scalar() is not None


def active(connection: Connection, now: datetime) -> dict[str, Lease]:
    """Returns the valid leases, by site."""
    rows = connection.execute(select(leases).where(leases.c.expires > now))
    return {row.site: _lease(row) for row in rows}


def _is(lease: Lease) -> tuple[Any, ...]:
    return leases.c.site == lease.site, leases.c.owner == lease.owner, leases.c.token == lease.token


def _lease(row: Row[Any]) -> Lease:
    return Lease(row.site, row.owner, row.token, row.expires)
