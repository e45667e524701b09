"""The events of each URL, for `newscrawl why`. The newest `KEEP` events of a URL are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, Delete, Row, bindparam, delete, func, select

from newscrawl.identity import url_key
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.articles.rows import EVENT
from newscrawl.storage.engine.upsert import insert_all
from newscrawl.storage.records import Event
from newscrawl.storage.tables.operations import events

KEEP: Final = 20


def record(
    connection: Connection, url: str, site: str, kind: str, reason: str, status: int | None, now: datetime
) -> None:
    """Adds one event. Raises InvalidUrl if `url` is not an http(s) URL."""
    record_all(connection, [Event(url_key(url), url, site, now, kind, reason, status)])


def record_all(connection: Connection, new: Sequence[Event]) -> None:
    """Adds events in their order and deletes all but the newest `KEEP` events of their URLs."""
    if not new:
        return
    insert_all(connection, events, [EVENT.values(event) for event in new])
    for chunk in chunks(sorted({event.url_key for event in new})):
        connection.execute(_prune(), {"keys": chunk})


def load_urls(connection: Connection, keys: Iterable[str]) -> list[Event]:
    """Returns the kept events of the URLs, oldest first."""
    rows: list[Row[Any]] = []
    for chunk in chunks(sorted(set(keys))):
        rows += connection.execute(select(events).where(events.c.url_key.in_(chunk))).all()
    return [EVENT.read(row) for row in sorted(rows, key=lambda row: int(row.id))]


@cache  # building it takes longer than running it for a small batch
def _prune() -> Delete:
    """Returns the statement that deletes all but the newest events of the URLs `keys`."""
    mine = events.c.url_key.in_(bindparam("keys", expanding=True))
    rank = func.row_number().over(partition_by=events.c.url_key, order_by=events.c.id.desc()).label("rank")
    ranked = select(events.c.id, rank).where(mine).subquery()
    return delete(events).where(events.c.id.in_(select(ranked.c.id).where(ranked.c.rank > KEEP)))
