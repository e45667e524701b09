"""Changes that the receiver of a consumer refused for good. They are kept here, and later changes are still sent.

The row is deleted when the receiver accepts a later change of the same article.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select

from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.feed import changes, cursors, given_articles
from newscrawl.storage.feed.change_causes import Cause
from newscrawl.storage.tables.changes import refused_changes


@dataclass(frozen=True, slots=True)
class RefusedChange:
    """A refused change: its number, the receiver's reason, and when it was refused."""

    consumer: str
    article_id: int
    seq: int
    reason: str
    at: datetime

    @property
    def subject(self) -> str:
        """The subject of the change, in words: "article 7", or "story 7" for a `merge`."""
        return f"article {self.article_id}" if self.article_id > 0 else f"story {-self.article_id}"


@dataclass(frozen=True, slots=True)
class ConsumerStep:
    """The result of sending changes up to `seq` to one consumer.

    `accepted` are the article ids that the receiver took. `refused` maps an article id to the number of the change and
    the receiver's reason. `removed` are the articles of which removals were sent to a consumer with the filter
    `filters`.
    """

    consumer: str
    seq: int
    index_id: str | None
    accepted: frozenset[int]
    refused: Mapping[int, tuple[int, str]]
    filters: str | None = None
    removed: frozenset[int] = frozenset()


def confirm(connection: Connection, step: ConsumerStep, now: datetime) -> None:
    """Moves the consumer's cursor and stores the refused changes. Call it in one transaction."""
    cursors.save(connection, step.consumer, step.seq, step.index_id, now, step.filters)
    given_articles.drop(connection, step.consumer, step.removed & step.accepted)
    table = refused_changes.c
    if connection.execute(select(table.article_id).where(table.consumer == step.consumer).limit(1)).first():
        for chunk in chunks(sorted(step.accepted)):
            connection.execute(
                delete(refused_changes).where(table.consumer == step.consumer, table.article_id.in_(chunk))
            )
    rows = [
        {"consumer": step.consumer, "article_id": number, "seq": seq, "reason": reason, "at": now}
        for number, (seq, reason) in step.refused.items()
    ]
    if rows:
        upsert(connection, refused_changes, ["consumer", "article_id"], rows)


def load(connection: Connection, consumer: str | None = None) -> Sequence[RefusedChange]:
    """Returns the refused changes of one consumer, or of all, by consumer and number."""
    query = select(refused_changes).order_by(refused_changes.c.consumer, refused_changes.c.seq)
    if consumer is not None:
        query = query.where(refused_changes.c.consumer == consumer)
    return [
        RefusedChange(row.consumer, row.article_id, row.seq, row.reason, row.at) for row in connection.execute(query)
    ]


def send_again(connection: Connection, consumer: str, now: datetime) -> int:
    """Appends a change for each refused article, so that it is sent as it is now. Returns how many.

    All consumers of the feed receive these changes; for the others they repeat what they have.
    """
    numbers = [refused.article_id for refused in load(connection, consumer)]
    stored = changes.by_article(connection, numbers)
    last = {number: stored[number][-1] for number in numbers if number in stored}
    changes.append_again(connection, [change for change in last.values() if change.op == "merge"], now)
    articles = [number for number in numbers if number > 0]
    causes = {number: last[number].cause if number in last else Cause("metadata") for number in articles}
    stories = {number: change.story_id for number, change in last.items() if change.story_id is not None}
    changes.append_seen(connection, causes, now, stories=stories)
    return len(numbers)
