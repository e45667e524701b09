"""The consumers of the change feed: how far each has read (its cursor), which articles it was sent, and what its
receiver refused.

A consumer with a filter has a list of the articles that it was sent: if one of them no longer matches, the consumer is
sent a `remove`. An article is listed before it is sent, so that none is missing after a kill, and until the consumer
has accepted its removal with the latest change of the article. A change that the receiver refused for good is kept with
the reason, while later changes are sent, until the receiver accepts a later change of the same article.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, literal, select, true, update

from newscrawl.storage.engine.sql import chunks, incoming, insert, rows_among, upsert
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import Cause
from newscrawl.storage.tables.changes import changes as changes_table
from newscrawl.storage.tables.changes import consumer_articles, cursors

_KEY: Final = ("consumer", "article_id")
_NOT_REFUSED: Final = {"refused_seq": None, "reason": None, "at": None}


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


def load(connection: Connection, consumer: str) -> Cursor | None:
    """Returns the consumer's cursor; None for one that has read nothing."""
    row = connection.execute(select(cursors).where(cursors.c.consumer == consumer)).one_or_none()
    return Cursor(*row) if row else None


def everybody(connection: Connection) -> Sequence[Cursor]:
    """Returns all cursors by name."""
    rows = connection.execute(select(cursors).order_by(cursors.c.consumer))
    return [Cursor(*row) for row in rows]


def save(
    connection: Connection, consumer: str, seq: int, index_id: str | None, now: datetime, filters: str | None = None
) -> None:
    """Stores that the consumer has everything up to `seq`. A lower number is stored too: a reload begins at 0."""
    row = {"consumer": consumer, "seq": seq, "index_id": index_id, "updated": now, "filters": filters}
    upsert(connection, cursors, ["consumer"], [row])


def restart(connection: Connection, consumer: str, index_id: str | None, now: datetime, filters: str | None) -> None:
    """Sets the consumer back to the beginning of the feed, with the filter that it has from now on. A consumer that had
    none was sent every article of the feed."""
    former = load(connection, consumer)
    if filters is None:
        of_consumer = consumer_articles.c.consumer == consumer
        connection.execute(delete(consumer_articles).where(of_consumer, consumer_articles.c.refused_seq.is_(None)))
        connection.execute(update(consumer_articles).where(of_consumer).values(given=False))
    elif former is not None and former.filters is None:
        numbers = select(literal(consumer), changes_table.c.article_id, true()).where(changes_table.c.article_id > 0)
        new = insert(connection, consumer_articles).from_select([*_KEY, "given"], numbers.distinct())
        connection.execute(new.on_conflict_do_update(index_elements=_KEY, set_={"given": new.excluded.given}))
    save(connection, consumer, 0, index_id, now, filters)


def restart_all(connection: Connection) -> list[str]:
    """Sets all consumers back to the beginning of the feed; returns their names."""
    connection.execute(update(cursors).values(seq=0))
    return list(connection.execute(select(cursors.c.consumer).order_by(cursors.c.consumer)).scalars())


def drop(connection: Connection, consumer: str) -> bool:
    """Deletes the consumer's cursor, its refused changes and what it was sent. Returns whether there was a cursor."""
    connection.execute(delete(consumer_articles).where(consumer_articles.c.consumer == consumer))
    return connection.execute(delete(cursors).where(cursors.c.consumer == consumer)).rowcount > 0


def needless_changes(connection: Connection, limit: int) -> list[int]:
    """Returns at most `limit` numbers of superseded changes that every consumer has read. `newscrawl search` is not
    counted as a consumer: its index does not need superseded changes either."""
    read_by_all = connection.execute(select(func.min(cursors.c.seq))).scalar()
    return changes.superseded(connection, changes.newest(connection) if read_by_all is None else read_by_all, limit)


def give(connection: Connection, consumer: str, article_ids: Iterable[int]) -> None:
    """Records that the articles are sent to the consumer."""
    rows = [{"consumer": consumer, "article_id": number, "given": True} for number in sorted(set(article_ids))]
    upsert(connection, consumer_articles, _KEY, rows, {"given": incoming})


def given(connection: Connection, consumer: str, article_ids: Iterable[int]) -> set[int]:
    """Returns those of the articles that were sent to the consumer."""
    table = consumer_articles.c
    query = select(table.article_id).where(table.consumer == consumer, table.given)
    return {row.article_id for row in rows_among(connection, query, table.article_id, article_ids)}


def confirm(
    connection: Connection,
    reached: Cursor,
    accepted: frozenset[int],
    refused: Mapping[int, tuple[int, str]],
    removed: frozenset[int],
) -> None:
    """Stores the result of sending changes to a consumer, whose cursor `reached` then is. Call it in one transaction.

    `accepted` are the article ids that the receiver took. `refused` maps an article id to the number of the change and
    the receiver's reason. `removed` are the articles of which removals were sent to a consumer with a filter.
    """
    save(connection, reached.consumer, reached.seq, reached.index_id, reached.updated, reached.filters)
    table = consumer_articles.c
    has_refused = select(table.article_id).where(table.consumer == reached.consumer, table.refused_seq.is_not(None))
    is_refused = connection.execute(has_refused.limit(1)).first() is not None
    for chunk in chunks(sorted(accepted if is_refused else accepted & removed)):
        mine = (table.consumer == reached.consumer) & table.article_id.in_(chunk)
        connection.execute(update(consumer_articles).where(mine, table.refused_seq.is_not(None)).values(_NOT_REFUSED))
        # After the cursor was set back, a receiver that knows a later change ignores this removal: it is sent again.
        later = changes_table.c.seq > reached.seq
        has_later = select(literal(1)).where(changes_table.c.article_id == table.article_id, later).exists()
        gone = mine & table.article_id.in_(removed) & ~has_later
        connection.execute(update(consumer_articles).where(gone).values(given=False))
        connection.execute(delete(consumer_articles).where(mine, ~table.given))
    of_consumer = {"consumer": reached.consumer, "given": False, "at": reached.updated}
    rows = [
        of_consumer | {"article_id": number, "refused_seq": seq, "reason": reason}
        for number, (seq, reason) in refused.items()
    ]
    upsert(connection, consumer_articles, _KEY, rows, dict.fromkeys(_NOT_REFUSED, incoming))


def refused(connection: Connection, consumer: str | None = None) -> Sequence[RefusedChange]:
    """Returns the refused changes of one consumer, or of all, by consumer and number."""
    table = consumer_articles.c
    query = select(consumer_articles).where(table.refused_seq.is_not(None))
    query = query if consumer is None else query.where(table.consumer == consumer)
    rows = connection.execute(query.order_by(table.consumer, table.refused_seq))
    return [RefusedChange(row.consumer, row.article_id, row.refused_seq, row.reason, row.at) for row in rows]


def send_again(connection: Connection, consumer: str, now: datetime) -> int:
    """Appends a change for each refused article, so that it is sent as it is now. Returns how many.

    All consumers of the feed receive these changes; for the others they repeat what they have.
    """
    numbers = [change.article_id for change in refused(connection, consumer)]
    stored = changes.by_article(connection, numbers)
    last = {number: stored[number][-1] for number in numbers if number in stored}
    changes.append_again(connection, [change for change in last.values() if change.op == "merge"], now)
    articles = [number for number in numbers if number > 0]
    causes = {number: last[number].cause if number in last else Cause("metadata") for number in articles}
    stories = {number: change.story_id for number, change in last.items() if change.story_id is not None}
    changes.append_rows(connection, changes.seen(connection, causes, now, stories=stories))
    return len(numbers)
