"""The change feed: one row for each change that readers of the articles should see.

A row is written in the transaction that changes the article, under the lock that every writing transaction holds until
its commit (database.begin_write). So `seq` follows the order of commits: a consumer that has read up to a number has
seen every row below it and asks for the rows above. A row names the article to read again. The article is read when the
row is delivered (reports.documents), so reading a row twice does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection, delete, func, select

from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.records import PageRow
from newscrawl.storage.tables.changes import changes
from newscrawl.storage.tables.schema import pages

Op = Literal["upsert", "version", "merge", "remove"]
"""`upsert`: the article is new or its metadata changed. `version`: it replaced another text at a page. `merge`: it
belongs to another story, or its story has other articles. `remove`: no page shows it any longer. All operations but
`remove` mean that the article is to be read again."""

Reason = Literal["parted"]
"""`parted`: the story that the article was in lost a member that is still stored."""

GONE: Final = "gone"


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the feed."""

    seq: int
    article_id: int
    op: Op
    at: datetime
    reason: Reason | None = None


def append(
    connection: Connection, op: Op, article_ids: Iterable[int], now: datetime, reason: Reason | None = None
) -> None:
    """Appends a row for each article, in the given order. Call it in the transaction that makes the change."""
    rows = [{"article_id": number, "op": op, "at": now, "reason": reason} for number in dict.fromkeys(article_ids)]
    if rows:
        connection.execute(changes.insert(), rows)


def read(connection: Connection, after_seq: int, limit: int) -> list[Change]:
    """Returns at most `limit` changes after the number `after_seq`, in the order of commits."""
    query = select(changes).where(changes.c.seq > after_seq).order_by(changes.c.seq).limit(limit)
    return [Change(row.seq, row.article_id, row.op, row.at, row.reason) for row in connection.execute(query)]


def articles_after(connection: Connection, seq: int) -> set[int]:
    """Returns the ids of the articles with a change after the number `seq`."""
    return set(connection.execute(select(changes.c.article_id).where(changes.c.seq > seq).distinct()).scalars())


def newest(connection: Connection) -> int:
    """Returns the highest number in use, 0 if there is no change."""
    return connection.execute(select(func.max(changes.c.seq))).scalar() or 0


def shown_by(page: PageRow | None) -> bool:
    """Returns whether the page shows its article. A page that is gone shows none."""
    return page is not None and page.state != GONE


def append_seen(connection: Connection, ops: Mapping[int, Op], now: datetime) -> None:
    """Appends a row for each article: the given operation, or `remove` where no page shows the article now.

    Removals come last, so that a consumer receives the new text of a story before the old one is removed.
    """
    current = still_shown(connection, ops)
    for op in ("upsert", "version", "merge"):
        append(connection, op, (number for number, wanted in ops.items() if wanted == op and number in current), now)
    append(connection, "remove", (number for number in ops if number not in current), now)


def still_shown(connection: Connection, article_ids: Iterable[int]) -> set[int]:
    """Returns the articles that some page shows."""
    shown: set[int] = set()
    for chunk in chunks(sorted(set(article_ids))):
        query = select(pages.c.article_id).where(pages.c.article_id.in_(chunk), pages.c.state != GONE)
        shown.update(connection.execute(query.distinct()).scalars())
    return shown


def superseded(connection: Connection, upto: int, limit: int) -> list[int]:
    """Returns at most `limit` numbers, none above `upto`, of rows that are followed by a later row of the same article.

    They can be removed: a consumer that has not read such a row has not read the later one either. With the slowest
    consumer's number as `upto` (cursors.slowest), every consumer still receives every operation.
    """
    last = func.max(changes.c.seq).over(partition_by=changes.c.article_id).label("last")
    numbered = select(changes.c.seq, last).subquery()
    query = select(numbered.c.seq).where(numbered.c.seq < numbered.c.last, numbered.c.seq <= upto)
    return list(connection.execute(query.order_by(numbered.c.seq).limit(limit)).scalars())


def drop(connection: Connection, seqs: Iterable[int]) -> int:
    """Removes superseded rows. Returns how many were removed."""
    removed = 0
    for chunk in chunks(sorted(set(seqs))):
        removed += connection.execute(delete(changes).where(changes.c.seq.in_(chunk))).rowcount
    return removed
