"""Writes decisions on stories, and announces the stories that changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, update

from newscrawl.identity.resemblance import Similarity
from newscrawl.identity.stories import StoryDecision
from newscrawl.identity.story_updates import StoryUpdates
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.duplicates import containment_links, pending, story_numbers
from newscrawl.storage.duplicates.story_reader import DatabaseTextStore
from newscrawl.storage.engine.upsert import insert, upsert
from newscrawl.storage.tables.duplicates import cluster_members, rejected_members

_ITSELF: Final = Similarity(1.0, 1.0, 1.0)


def write(
    connection: Connection,
    updates: StoryUpdates,
    texts: DatabaseTextStore,
    now: datetime,
    left: Collection[int],
    *,
    new: Collection[int] = (),
    before: story_numbers.StoriesBefore | None = None,
) -> None:
    """Writes the decisions, marks the texts `left`, and announces the stories that changed.

    `new` are the texts that this transaction stores, of which the feed has a change anyway.
    """
    decided = updates.decided
    again = decided.keys() - set(new)
    before = before or story_numbers.StoriesBefore(connection)
    moved = updates.moved()
    grown: dict[int, list[int]] = defaultdict(list)
    changed: set[int] = set()
    for number, was in moved.items():
        joined = decided[number].representative
        if joined is not None and number in new:
            grown[joined].append(number)
        elif number not in new:
            changed.update(story for story in (was, number if joined is None else joined) if story is not None)
    # A story that new articles join keeps its number, unless one of them has a smaller one.
    changed.update(story for story, joined in grown.items() if min(joined) < texts.numbers.get(story, story))
    before.note_stories(changed)
    pending.mark(connection, left)
    containment_links.drop(connection, again)
    _write_rejections(connection, decided, again)
    _write_members(connection, updates, texts, {number for number in decided if number in moved or number in again})
    pending.unmark(connection, again)
    containment_links.write(connection, {number: decision.links for number, decision in decided.items()}, again, new)
    before.announce(now, new)


def _write_rejections(connection: Connection, decided: Mapping[int, StoryDecision], again: Collection[int]) -> None:
    for chunk in chunks(sorted(again)):
        connection.execute(delete(rejected_members).where(rejected_members.c.article_id.in_(chunk)))
    rows = [
        {"article_id": number, "representative_id": story}
        for number, decision in decided.items()
        for story in decision.rejected
    ]
    if rows:
        connection.execute(insert(connection, rejected_members).on_conflict_do_nothing(), rows)


def _write_members(
    connection: Connection, updates: StoryUpdates, texts: DatabaseTextStore, numbers: Collection[int]
) -> None:
    """Writes the rows of the texts, and rows of representatives that have none. Story numbers are set afterwards."""
    rows: list[dict[str, object]] = []
    alone: list[int] = []
    needed: set[int] = set()
    for number in sorted(numbers):
        decision = updates.decided[number]
        if decision.representative is None or decision.similarity is None:
            if number in texts.numbers:
                alone.append(number)
        else:
            needed.add(decision.representative)
            rows.append(_row(updates, texts, number, decision.representative, decision.similarity))
    upsert(connection, cluster_members, ["article_id"], rows)
    for chunk in chunks(alone):
        own = update(cluster_members).where(cluster_members.c.article_id.in_(chunk))
        itself = {"representative_id": cluster_members.c.article_id, "kind": "same"}
        connection.execute(own.values(resemblance=1.0, containment=1.0, **itself))
    first = [_row(updates, texts, number, number, _ITSELF) for number in sorted(needed - texts.numbers.keys())]
    if first:
        connection.execute(insert(connection, cluster_members).on_conflict_do_nothing(), first)


def _row(
    updates: StoryUpdates, texts: DatabaseTextStore, number: int, representative: int, similarity: Similarity
) -> dict[str, object]:
    place = updates.place(number)
    return {
        "article_id": number,
        "cluster_id": texts.numbers.get(representative, representative)
        if number not in texts.numbers
        else texts.numbers[number],
        "representative_id": representative,
        "first_seen": place.first_seen,
        "content_hash": place.content_hash,
        "kind": similarity.kind,
        "resemblance": similarity.resemblance,
        "containment": similarity.containment,
    }
