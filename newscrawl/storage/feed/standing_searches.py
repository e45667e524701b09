"""Standing searches and their destinations, as operators save them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, exists, func, or_, select, update

from newscrawl.storage.engine.sql import insert
from newscrawl.storage.feed import changes, consumers, feed_addresses
from newscrawl.storage.tables.changes import search_events, search_hits, search_sinks, standing_searches
from newscrawl.times import TOLERANCE

CONSUMER: Final = "standing-searches"
"""The consumer of the change feed that evaluates all searches."""
FIRST_PAUSE: Final = timedelta(seconds=30)
MAX_PAUSE: Final = timedelta(hours=1)
"""Pauses after the first and after many failed attempts of a destination. Each pause is twice the one before."""


@dataclass(frozen=True, slots=True)
class StandingSearch:
    """A query that is asked of every change after the number `from_seq`. `feed_id` is a UUID that names its feeds."""

    name: str
    query: str
    feed_id: str
    from_seq: int
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class SearchDestination:
    """Where the events of a search are sent. `sent_upto` is the last event that the destination accepted, `next_at`
    when it is tried next, `attempts` the number of failures in a row, and `problem` why the last one failed."""

    id: int
    search: str
    place: str
    digest_hours: int
    sent_upto: int
    next_at: datetime
    attempts: int = 0
    problem: str | None = None


def save(
    connection: Connection, name: str, query: str, places: Iterable[str], digest_hours: int, now: datetime
) -> bool:
    """Saves a search with its destinations, which get what is found from now on. Returns False, and changes nothing, if
    the name is in use."""
    newest = changes.newest(connection)
    row = {"name": name, "query": query, "feed_id": str(uuid.uuid4()), "from_seq": newest, "saved_at": now}
    saved = insert(connection, standing_searches).values(row).on_conflict_do_nothing()
    if connection.execute(saved.returning(standing_searches.c.name)).first() is None:
        return False
    # An address of an earlier search with this name, made while that was removed.
    feed_addresses.revoke_search(connection, name, now)
    if consumers.load(connection, CONSUMER) is None:
        consumers.save(connection, CONSUMER, newest, None, now)
    upto = connection.execute(select(func.max(search_events.c.id))).scalar() or 0
    first = now + timedelta(hours=digest_hours)
    destinations = [
        {"search": name, "place": place, "digest_hours": digest_hours, "sent_upto": upto, "next_at": first}
        for place in dict.fromkeys(places)
    ]
    if destinations:
        connection.execute(search_sinks.insert(), destinations)
    return True


def remove(connection: Connection, name: str, now: datetime) -> bool:
    """Removes a search with its hits and destinations, and revokes the secret addresses of its feed. Returns whether
    there was one. With the last search the consumer's cursor goes, so that no change is kept for it."""
    found = connection.execute(delete(standing_searches).where(standing_searches.c.name == name)).rowcount > 0
    for table in (search_hits, search_events, search_sinks):
        connection.execute(delete(table).where(table.c.search == name))
    feed_addresses.revoke_search(connection, name, now)
    if not connection.execute(select(exists().select_from(standing_searches))).scalar():
        consumers.drop(connection, CONSUMER)
    return found


def everything(connection: Connection) -> Sequence[StandingSearch]:
    """Returns all searches by name."""
    rows = connection.execute(select(standing_searches).order_by(standing_searches.c.name))
    return [StandingSearch(row.name, row.query, row.feed_id, row.from_seq, row.saved_at) for row in rows]


def destinations(connection: Connection) -> Sequence[SearchDestination]:
    """Returns all destinations by search."""
    return _destinations(connection.execute(select(search_sinks).order_by(search_sinks.c.search, search_sinks.c.id)))


def due_destinations(connection: Connection, now: datetime, limit: int) -> Sequence[SearchDestination]:
    """Returns at most `limit` destinations that lack an event and may be tried, the longest waiting first.

    A time that is further away than any pause was stored by a clock that was ahead. Such a destination is due.
    """
    lacks = exists().where(
        search_events.c.search == search_sinks.c.search, search_events.c.id > search_sinks.c.sent_upto
    )
    hours = connection.execute(select(search_sinks.c.digest_hours).distinct()).scalars()
    too_far = [
        (search_sinks.c.digest_hours == number)
        & (search_sinks.c.next_at > now + max(timedelta(hours=number), MAX_PAUSE) + TOLERANCE)
        for number in hours
    ]
    query = select(search_sinks).where(or_(search_sinks.c.next_at <= now, *too_far), lacks)
    return _destinations(connection.execute(query.order_by(search_sinks.c.next_at, search_sinks.c.id).limit(limit)))


def accepted(connection: Connection, destination: SearchDestination, upto: int, now: datetime) -> None:
    """Stores that the destination has the events up to the id `upto`, and deletes events that all destinations of its
    search have."""
    values = {
        "sent_upto": upto,
        "next_at": now + timedelta(hours=destination.digest_hours),
        "attempts": 0,
        "problem": None,
    }
    connection.execute(update(search_sinks).where(search_sinks.c.id == destination.id).values(values))
    slowest = select(func.min(search_sinks.c.sent_upto)).where(search_sinks.c.search == destination.search)
    known = connection.execute(slowest).scalar()
    if known is not None:
        told = (search_events.c.search == destination.search) & (search_events.c.id <= known)
        connection.execute(delete(search_events).where(told))


def failed(
    connection: Connection, destination: SearchDestination, problem: str, now: datetime, asked: timedelta = timedelta()
) -> None:
    """Stores that an attempt has failed, and when the next one is due: after the pause that the receiver asked for, or
    after one that grows with the attempts if that is longer, and after `MAX_PAUSE` at the latest."""
    pause = min(max(FIRST_PAUSE * 2 ** min(destination.attempts, 20), asked), MAX_PAUSE)
    values = {"attempts": destination.attempts + 1, "problem": problem, "next_at": now + pause}
    connection.execute(update(search_sinks).where(search_sinks.c.id == destination.id).values(values))


def _destinations(rows: Iterable[object]) -> list[SearchDestination]:
    return [SearchDestination(*row) for row in rows]  # type: ignore[misc]
