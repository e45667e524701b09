"""The blocklist: addresses and sites that are never requested or stored again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, select

from newscrawl.storage.engine.sql import change_among, rows_among, upsert
from newscrawl.storage.tables.changes import blocklist

ADDRESS: Final = "url:"
SITE: Final = "site:"


@dataclass(frozen=True, slots=True)
class BlockedKey:
    """A blocked address or site. `kind` is "site" or "url"."""

    kind: str
    name: str
    at: datetime


def key_of_url(url_key: str) -> str:
    """Returns the key that blocks an address."""
    return f"{ADDRESS}{url_key}"


def key_of_site(site: str) -> str:
    """Returns the key that blocks a site."""
    return f"{SITE}{site}"


def add(connection: Connection, keys: Iterable[str], now: datetime) -> None:
    """Blocks the keys. A key that is blocked already keeps its time."""
    keep(connection, ((key, now) for key in keys))


def keep(connection: Connection, blocked: Iterable[tuple[str, datetime]]) -> None:
    """Blocks keys since given times. A key that is blocked already keeps its time."""
    rows = [{"key": key, "at": at} for key, at in sorted(dict(blocked).items())]
    upsert(connection, blocklist, ["key"], rows, {"at": lambda stored, _incoming: stored})


def among(connection: Connection, keys: Iterable[str]) -> set[str]:
    """Returns the keys that are blocked."""
    return {row.key for row in rows_among(connection, select(blocklist.c.key), blocklist.c.key, keys)}


def since(connection: Connection, keys: Collection[str]) -> datetime | None:
    """Returns when the first of the keys was blocked; None if none is blocked."""
    earliest = select(blocklist.c.at).where(blocklist.c.key.in_(keys)).order_by(blocklist.c.at).limit(1)
    return connection.execute(earliest).scalar_one_or_none()


def everything(connection: Connection) -> list[tuple[str, datetime]]:
    """Returns all blocked keys, each with the time when it was blocked; sites first, then by key."""
    rows = connection.execute(select(blocklist.c.key, blocklist.c.at)).all()
    return sorted(((row.key, row.at) for row in rows), key=lambda row: (not row[0].startswith(SITE), row[0]))


def listed(connection: Connection, size: int, after: str | None) -> Sequence[BlockedKey]:
    """Returns what is blocked, after a key; at most `size`. Sites come before addresses."""
    query = select(blocklist.c.key, blocklist.c.at).order_by(blocklist.c.key).limit(size)
    rows = connection.execute(query if after is None else query.where(blocklist.c.key > after))
    named = ((row.key.partition(":"), row.at) for row in rows)
    return [BlockedKey(kind, name, at) for (kind, _, name), at in named]


def lift(connection: Connection, keys: Collection[str]) -> list[str]:
    """Unblocks the keys of one address or site. Returns all keys that are no longer blocked."""
    return [lifted for key in sorted(keys) for lifted in _lift(connection, key)]


def _lift(connection: Connection, key: str) -> list[str]:
    """Unblocks a key and those that were blocked with it, at the same time: the other addresses of a page, or the pages
    of a site. An address that was blocked together with its site is unblocked alone. Returns the keys."""
    at = since(connection, [key])
    if at is None:
        return []
    together = connection.execute(select(blocklist.c.key).where(blocklist.c.at == at)).scalars().all()
    alone = not key.startswith(SITE) and any(other.startswith(SITE) for other in together)
    keys = [key] if alone else sorted(together)
    change_among(connection, delete(blocklist), blocklist.c.key, keys)
    return keys
