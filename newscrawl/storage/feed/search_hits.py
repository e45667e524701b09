"""The stories that standing searches have found, and the events that their destinations are told.

A hit has the number of its story as key, so that a story is found once. Hits, events and the cursor of the consumer are
written in one transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection, delete, func, or_, select

from newscrawl.storage.engine.sql import chunks, upsert
from newscrawl.storage.feed import consumers
from newscrawl.storage.feed.standing_searches import CONSUMER
from newscrawl.storage.tables.changes import search_events, search_hits, search_sinks, standing_searches

HitEvent = Literal["hit", "corrected", "withdrawn"]
MAX_EVENTS: Final = 500
"""The most events that a destination is sent at a time."""


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


def among(connection: Connection, articles: Collection[int], stories: Collection[int]) -> list[StoryHit]:
    """Returns the hits that are shown by one of the articles or are of one of the stories."""
    found: dict[tuple[str, int], StoryHit] = {}
    for column, numbers in ((search_hits.c.article_id, articles), (search_hits.c.story_id, stories)):
        for chunk in chunks(sorted(set(numbers))):
            for hit in _hits(connection.execute(select(search_hits).where(column.in_(chunk)))):
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
