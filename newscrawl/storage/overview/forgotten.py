"""The work that forgetting left: blocked addresses, and captures that machines were asked to remove from their
archives. The register of forgotten pages is in newscrawl.storage.removal.register."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, String, func, select

from newscrawl.storage.tables.archive import archive_removals
from newscrawl.storage.tables.changes import blocklist, forgotten


@dataclass(frozen=True, slots=True)
class BlockedKey:
    """A blocked address or site. `kind` is "site" or "url"."""

    kind: str
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Removal:
    """One request to a machine to remove captures: the number of its files, how many are done, and when the last
    one was. `site` is None for pages, whose addresses are stored nowhere. `machine` is None for files that no machine
    has found."""

    request: str
    asked_at: datetime
    site: str | None
    machine: str | None
    files: int
    done: int
    done_at: datetime | None


def blocked(connection: Connection, size: int, after: str | None) -> Sequence[BlockedKey]:
    """Returns what is blocked, after a key; at most `size`. Sites come before addresses."""
    query = select(blocklist.c.key, blocklist.c.at).order_by(blocklist.c.key).limit(size)
    if after is not None:
        query = query.where(blocklist.c.key > after)
    return [_blocked(row.key, row.at) for row in connection.execute(query)]


def removals(connection: Connection, size: int) -> Sequence[Removal]:
    """Returns the latest requests, a line for each machine, the newest first; at most `size`."""
    table = archive_removals.c
    asked = func.min(forgotten.c.at).label("asked_at")
    query = (
        select(
            table.forgotten_id.cast(String).label("request"),
            asked,
            func.max(forgotten.c.site).label("site"),
            table.machine,
            func.count().label("files"),
            func.count(table.done_at).label("done"),
            func.max(table.done_at).label("done_at"),
        )
        .join(forgotten, forgotten.c.id == table.forgotten_id)
        .group_by(table.forgotten_id, table.machine)
        .order_by(asked.desc(), table.forgotten_id, table.machine)
        .limit(size)
    )
    return [Removal(**row._asdict()) for row in connection.execute(query)]


def _blocked(key: str, at: datetime) -> BlockedKey:
    kind, _, name = key.partition(":")
    return BlockedKey(kind, name, at)
