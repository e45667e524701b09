"""Standing searches and their destinations, as operators save them; the stories that they have found, and the events
that their destinations are told.

A hit has the number of its story as key, so that a story is found once. Hits, events and the cursor of the consumer are
written in one transaction.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import Connection, delete, exists, func, or_, select, update

from newscrawl.storage.engine.sql import chunks, insert, rows_among, upsert
from newscrawl.storage.feed import changes, consumers, feed_addresses
from newscrawl.storage.tables.changes import search_events, search_hits, search_sinks, standing_searches
from newscrawl.times import TOLERANCE

CONSUMER: Final = "standing-searches"
"""The consumer of the change feed that evaluates all searches."""
HitEvent = Literal["hit", "corrected", "withdrawn"]
MAX_EVENTS: Final = 500
"""The most events that a destination is sent at a time."""
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


@dataclass(frozen=True, slots=True)
class StoryHit:
    """A story that a search has found, shown by an article. `entry_id` is a UUID that stays when the story gets another
    number. `withdrawn`: no article of the story matches any longer."""

    search: str
    story_id: int
    article_id: int
    entry_id: str
    found_at: datetime
    updated_at: datetime
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class NewEvent:
    """The kinds of events of a search: a story was found, its publisher corrected it, or it is
    withdrawn. `reason` is that of the change (newscrawl.storage.feed.change_causes), or `no longer matches`."""

    search: str
    event: HitEvent
    story_id: int
    article_id: int
    reason: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredEvent(NewEvent):
    """An event with its number."""

    id: int = 0


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The result of the evaluation of the changes after `after` up to `upto`: `changed` hits as they are now, hits that
    are `gone` by their (search, story), and events."""

    after: int
    upto: int
    changed: Sequence[StoryHit] = ()
    gone: Collection[tuple[str, int]] = ()
    events: Sequence[NewEvent] = ()


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


def among(connection: Connection, articles: Collection[int], stories: Collection[int]) -> list[StoryHit]:
    """Returns the hits that are shown by one of the articles or are of one of the stories."""
    found: dict[tuple[str, int], StoryHit] = {}
    for column, numbers in ((search_hits.c.article_id, articles), (search_hits.c.story_id, stories)):
        for hit in _hits(rows_among(connection, select(search_hits), column, numbers)):
            found[hit.search, hit.story_id] = hit
    return list(found.values())


def newest(connection: Connection, search: str, limit: int) -> list[StoryHit]:
    """Returns the hits of a search that changed last, without those that are withdrawn."""
    mine = (search_hits.c.search == search) & search_hits.c.withdrawn.is_(False)
    query = select(search_hits).where(mine).order_by(search_hits.c.updated_at.desc(), search_hits.c.story_id.desc())
    return _hits(connection.execute(query.limit(limit)))


def last_update(connection: Connection, search: str) -> datetime | None:
    """Returns when a hit of a search was found, corrected or withdrawn last; None without one."""
    return connection.execute(select(func.max(search_hits.c.updated_at)).where(search_hits.c.search == search)).scalar()


def apply(connection: Connection, evaluated: Evaluated, now: datetime) -> bool:
    """Stores an evaluation, unless another process has evaluated its changes. Returns whether it was stored. Searches
    that were removed meanwhile get nothing."""
    cursor = consumers.load(connection, CONSUMER)
    if (cursor.seq if cursor is not None else 0) != evaluated.after:
        return False
    names = set(connection.execute(select(standing_searches.c.name)).scalars())
    told = set(connection.execute(select(search_sinks.c.search).distinct()).scalars())
    for part in chunks(sorted(evaluated.gone), 100):
        keys = [(search_hits.c.search == search) & (search_hits.c.story_id == story) for search, story in part]
        connection.execute(delete(search_hits).where(or_(*keys)))
    changed = [asdict(hit) for hit in evaluated.changed if hit.search in names]
    upsert(connection, search_hits, ["search", "story_id"], changed)
    events = [asdict(event) for event in evaluated.events if event.search in names & told]
    if events:
        connection.execute(search_events.insert(), events)
    consumers.save(connection, CONSUMER, evaluated.upto, None, now)
    return True


def events_after(connection: Connection, search: str, after: int, limit: int = MAX_EVENTS) -> list[StoredEvent]:
    """Returns at most `limit` events of a search after the id `after`, in order."""
    mine = (search_events.c.search == search) & (search_events.c.id > after)
    rows = connection.execute(select(search_events).where(mine).order_by(search_events.c.id).limit(limit))
    return [
        StoredEvent(row.search, row.event, row.story_id, row.article_id, row.reason, row.at, row.id) for row in rows
    ]


def last_event(connection: Connection, search: str) -> int:
    """Returns the id of the newest stored event of a search; 0 without one."""
    mine = search_events.c.search == search
    return connection.execute(select(func.max(search_events.c.id)).where(mine)).scalar() or 0


def _hits(rows: Iterable[object]) -> list[StoryHit]:
    return [StoryHit(*row) for row in rows]  # type: ignore[misc]


def _destinations(rows: Iterable[object]) -> list[SearchDestination]:
    return [SearchDestination(*row) for row in rows]  # type: ignore[misc]
