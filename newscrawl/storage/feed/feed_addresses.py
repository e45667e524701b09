"""The secret addresses under which feed readers that cannot log in read a feed. Each can be revoked.

A secret is known only to who made its address: the database has its hash. It has 256 bits, so it cannot be guessed, and
a hash without a salt is enough. The id of a feed is made from the installation's, not from an address: readers keep
what they know of a feed when the name of the server changes.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection, Row, select, update

from newscrawl.storage.frontier.sites import installation
from newscrawl.storage.tables.changes import feed_addresses

ScopeType = Literal["everything", "site", "language", "search"]
SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class FeedScope:
    """The content of a feed: everything, or what is of the site, the language or the standing search with the name
    `value`."""

    kind: ScopeType
    value: str | None = None


@dataclass(frozen=True, slots=True)
class FeedAddress:
    """A secret address, without its secret. `revoked_at` is None while it works."""

    id: int
    scope: FeedScope
    made_at: datetime
    made_by: str
    revoked_at: datetime | None


def new_secret() -> str:
    """Returns a secret for an address: letters, digits, `-` and `_`."""
    return secrets.token_urlsafe(SECRET_BYTES)


def add(connection: Connection, secret: str, scope: FeedScope, who: str, now: datetime) -> int:
    """Stores an address, and returns its number."""
    row = {"secret_hash": _hash(secret), "scope": scope.kind, "value": scope.value, "made_at": now, "made_by": who}
    made = connection.execute(feed_addresses.insert().values(row).returning(feed_addresses.c.id))
    return int(made.scalar_one())


def revoke(connection: Connection, number: int, now: datetime) -> bool:
    """Ends an address. Returns False if there is none with this number that works."""
    works = (feed_addresses.c.id == number) & feed_addresses.c.revoked_at.is_(None)
    return connection.execute(update(feed_addresses).where(works).values(revoked_at=now)).rowcount > 0


def revoke_search(connection: Connection, name: str, now: datetime) -> None:
    """Ends all addresses of the feed of a standing search."""
    of_search = (feed_addresses.c.scope == "search") & (feed_addresses.c.value == name)
    works = of_search & feed_addresses.c.revoked_at.is_(None)
    connection.execute(update(feed_addresses).where(works).values(revoked_at=now))


def scope_of(connection: Connection, secret: str) -> FeedScope | None:
    """Returns what the feed with this secret has; None for an unknown and for a revoked one."""
    works = (feed_addresses.c.secret_hash == _hash(secret)) & feed_addresses.c.revoked_at.is_(None)
    row = connection.execute(select(feed_addresses).where(works)).first()
    return FeedScope(row.scope, row.value) if row is not None else None


def listed(connection: Connection, size: int, before: int | None = None) -> Sequence[FeedAddress]:
    """Returns the addresses with numbers below `before`, the newest first; at most `size`."""
    query = select(feed_addresses).order_by(feed_addresses.c.id.desc()).limit(size)
    if before is not None:
        query = query.where(feed_addresses.c.id < before)
    return [_address(row) for row in connection.execute(query)]


def by_number(connection: Connection, number: int) -> FeedAddress | None:
    """Returns an address; None if there is none with this number."""
    row = connection.execute(select(feed_addresses).where(feed_addresses.c.id == number)).first()
    return _address(row) if row is not None else None


def feed_id(connection: Connection, scope: FeedScope) -> str:
    """Returns the id of the feed, a UUID. It is the same at each address and differs between installations."""
    of_installation = uuid.UUID(installation(connection))
    return str(uuid.uuid5(of_installation, f"{scope.kind} {scope.value or ''}"))


def _address(row: Row[tuple[object, ...]]) -> FeedAddress:
    return FeedAddress(row.id, FeedScope(row.scope, row.value), row.made_at, row.made_by, row.revoked_at)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
