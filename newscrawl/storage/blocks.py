"""Addresses and sites that were forgotten for good: nothing of them is asked for or stored again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, select

from newscrawl.storage.change_tables import blocked
from newscrawl.storage.lookup import chunks
from newscrawl.storage.upsert import upsert


def of_url(url_key: str) -> str:
    """The key that blocks an address."""
    return f"url:{url_key}"


def of_site(site: str) -> str:
    """The key that blocks a site."""
    return f"site:{site}"


def add(connection: Connection, keys: Iterable[str], now: datetime) -> None:
    """Blocks the keys."""
    rows = [{"key": key, "at": now} for key in sorted(set(keys))]
    upsert(connection, blocked, ["key"], rows, {"at": lambda stored, _incoming: stored})


def among(connection: Connection, keys: Iterable[str]) -> set[str]:
    """Those of the keys that are blocked."""
    found: set[str] = set()
    for chunk in chunks(sorted(set(keys))):
        found.update(connection.execute(select(blocked.c.key).where(blocked.c.key.in_(chunk))).scalars())
    return found
