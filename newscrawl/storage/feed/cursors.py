"""The cursors: how far each consumer of the change feed has read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, inspect, select, update

from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.feed import changes, given_articles
from newscrawl.storage.tables.changes import cursors, refused_changes

TABLE_NAME: Final = "cursors"


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far one consumer has read.

    `seq` is the last change that the consumer confirmed. `index_id` identifies the index that the changes were written
    to, None if it has no name. An index that was created again has another id. `filters` are the options by which the
    consumer gets a part of the articles, None if it gets all.
    """

    consumer: str
    seq: int
    index_id: str | None
    updated: datetime
    filters: str | None = None


def load(connection: Connection, consumer: str) -> Cursor | None:
    """Returns the consumer's cursor; None for one that has read nothing."""
    row = connection.execute(select(cursors).where(cursors.c.consumer == consumer)).one_or_none()
    return Cursor(row.consumer, row.seq, row.index_id, row.updated, row.filters) if row else None


def save(
    connection: Connection, consumer: str, seq: int, index_id: str | None, now: datetime, filters: str | None = None
) -> None:
    """Stores that the consumer has everything up to `seq`. A lower number is stored too: a reload begins at 0."""
    row = {"consumer": consumer, "seq": seq, "index_id": index_id, "updated": now, "filters": filters}
    upsert(connection, cursors, ["consumer"], [row])


def restart(connection: Connection, consumer: str, index_id: str | None, now: datetime, filters: str | None) -> None:
    """Sets the consumer back to the beginning of the feed, with the filter that it has from now on."""
    former = load(connection, consumer)
    if filters is None:
        given_articles.drop(connection, consumer)
    elif former is not None and former.filters is None:
        given_articles.add_all(connection, consumer)
    save(connection, consumer, 0, index_id, now, filters)


def restart_all(connection: Connection) -> list[str]:
    """Sets all consumers back to the beginning of the feed; returns their names. The schema may be an older one that
    has consumers, or one from before there were any."""
    if not inspect(connection).has_table(TABLE_NAME):
        return []
    connection.execute(update(cursors).values(seq=0))
    return list(connection.execute(select(cursors.c.consumer).order_by(cursors.c.consumer)).scalars())


def drop(connection: Connection, consumer: str) -> bool:
    """Deletes the consumer's cursor, its refused changes and what it was sent. Returns whether there was a cursor."""
    given_articles.drop(connection, consumer)
    connection.execute(delete(refused_changes).where(refused_changes.c.consumer == consumer))
    return connection.execute(delete(cursors).where(cursors.c.consumer == consumer)).rowcount > 0


def everybody(connection: Connection) -> Sequence[Cursor]:
    """Returns all cursors by name."""
    rows = connection.execute(select(cursors).order_by(cursors.c.consumer))
    return [Cursor(row.consumer, row.seq, row.index_id, row.updated, row.filters) for row in rows]


def slowest(connection: Connection) -> int | None:
    """Returns the last change that every consumer has; None when there is no consumer."""
    return connection.execute(select(func.min(cursors.c.seq))).scalar()


def needless_changes(connection: Connection, limit: int) -> list[int]:
    """Returns at most `limit` numbers of superseded changes that every consumer has read. `newscrawl search` is not
    counted as a consumer: its index does not need superseded changes either."""
    read_by_all = slowest(connection)
    return changes.superseded(connection, changes.newest(connection) if read_by_all is None else read_by_all, limit)
