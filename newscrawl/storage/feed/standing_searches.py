"""Standing searches as operators save them, and the stories that they have found.

A hit has the number of its story as key, so that a story is found once. Hits, the notices to destinations
(newscrawl.storage.deliveries) and the cursor of the consumer are written in one transaction.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection, delete, exists, func, or_, select

from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import SEARCHES, Notice
from newscrawl.storage.engine.sql import chunks, insert, rows_among, upsert
from newscrawl.storage.feed import changes, consumers, feed_addresses
from newscrawl.storage.tables.changes import search_hits, standing_searches

CONSUMER: Final = "standing-searches"
"""The consumer of the change feed that evaluates all searches."""
HitEvent = Literal["hit", "corrected", "withdrawn"]
"""A story was found, its publisher corrected it, or it is withdrawn."""


@dataclass(frozen=True, slots=True)
class StandingSearch:
    """A query that is asked of every change after the number `from_seq`. `feed_id` is a UUID that names its feeds."""

    name: str
    query: str
    feed_id: str
    from_seq: int
    saved_at: datetime


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
class Evaluated:
    """The result of the evaluation of the changes after `after` up to `upto`: `changed` hits as they are now, hits that
    are `gone` by their (search, story), and notices, whose subject is the search."""

    after: int
    upto: int
    changed: Sequence[StoryHit] = ()
    gone: Collection[tuple[str, int]] = ()
    notices: Sequence[Notice] = ()


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
    deliveries.add(connection, SEARCHES, name, places, digest_hours, now)
    return True


def remove(connection: Connection, name: str, now: datetime) -> bool:
    """Removes a search with its hits and destinations, and revokes the secret addresses of its feed. Returns whether
    there was one. With the last search the consumer's cursor goes, so that no change is kept for it."""
    found = connection.execute(delete(standing_searches).where(standing_searches.c.name == name)).rowcount > 0
    connection.execute(delete(search_hits).where(search_hits.c.search == name))
    deliveries.remove(connection, SEARCHES, name)
    feed_addresses.revoke_search(connection, name, now)
    if not connection.execute(select(exists().select_from(standing_searches))).scalar():
        consumers.drop(connection, CONSUMER)
    return found


def everything(connection: Connection) -> Sequence[StandingSearch]:
    """Returns all searches by name."""
    rows = connection.execute(select(standing_searches).order_by(standing_searches.c.name))
    return [StandingSearch(*row) for row in rows]


def load(connection: Connection, name: str) -> StandingSearch | None:
    """Returns the search of this name; None if it is not saved."""
    row = connection.execute(select(standing_searches).where(standing_searches.c.name == name)).first()
    return StandingSearch(*row) if row is not None else None


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
    told = deliveries.subjects(connection, SEARCHES)
    for part in chunks(sorted(evaluated.gone), 100):
        keys = [(search_hits.c.search == search) & (search_hits.c.story_id == story) for search, story in part]
        connection.execute(delete(search_hits).where(or_(*keys)))
    changed = [asdict(hit) for hit in evaluated.changed if hit.search in names]
    upsert(connection, search_hits, ["search", "story_id"], changed)
    deliveries.append(connection, SEARCHES, [one for one in evaluated.notices if one.subject in names & told])
    consumers.save(connection, CONSUMER, evaluated.upto, None, now)
    return True


def _hits(rows: Iterable[object]) -> list[StoryHit]:
    return [StoryHit(*row) for row in rows]  # type: ignore[misc]
