"""The change feed: one row for everything that changes what a reader of the articles should see.

A row is written in the transaction that changes the article, under the lock every writing transaction holds to its
commit (database.begin_write). So `seq` is given in the order of commits: whoever has read up to a number has seen every
row below it, and asks for what is above. A row says which article to look at again; what it is now is read then
(reports.documents), so that reading a row twice does no harm.
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
"""`upsert`: an article is new, or what is said of it changed. `version`: it took the place of another text at a page.
`merge`: its story is another, or the same with other articles. `remove`: no page shows it any longer. All
but `remove` mean: look at it again."""

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
    """Adds a row for each article, in the order given. Call it in the transaction that makes the change."""
    rows = [{"article_id": number, "op": op, "at": now, "reason": reason} for number in dict.fromkeys(article_ids)]
    if rows:
        connection.execute(changes.insert(), rows)


def read(connection: Connection, after_seq: int, limit: int) -> list[Change]:
    """At most `limit` changes with a number above `after_seq`, in the order of commits."""
    query = select(changes).where(changes.c.seq > after_seq).order_by(changes.c.seq).limit(limit)
    return [Change(row.seq, row.article_id, row.op, row.at, row.reason) for row in connection.execute(query)]


def articles_after(connection: Connection, seq: int) -> set[int]:
    """The articles of all changes with a higher number."""
    return set(connection.execute(select(changes.c.article_id).where(changes.c.seq > seq).distinct()).scalars())


def newest(connection: Connection) -> int:
    """The highest number given out, 0 before the first."""
    return connection.execute(select(func.max(changes.c.seq))).scalar() or 0


def shown_by(page: PageRow | None) -> bool:
    """Whether the page shows its article: one that is gone shows nothing, whatever it once did."""
    return page is not None and page.state != GONE


def append_seen(connection: Connection, ops: Mapping[int, Op], now: datetime) -> None:
    """Adds a row for each article: the operation given, or `remove` where no page shows the article now.

    Removals come last: a reader that shows one story meets the text that replaces another before the other goes.
    """
    current = still_shown(connection, ops)
    for op in ("upsert", "version", "merge"):
        append(connection, op, (number for number, wanted in ops.items() if wanted == op and number in current), now)
    append(connection, "remove", (number for number in ops if number not in current), now)


def still_shown(connection: Connection, article_ids: Iterable[int]) -> set[int]:
    """Those of the articles that some page shows."""
    found: set[int] = set()
    for chunk in chunks(sorted(set(article_ids))):
        query = select(pages.c.article_id).where(pages.c.article_id.in_(chunk), pages.c.state != GONE)
        found.update(connection.execute(query.distinct()).scalars())
    return found


def superseded(connection: Connection, upto: int, limit: int) -> list[int]:
    """At most `limit` numbers, none above `upto`, of rows that a later row of the same article makes needless.

    No reader misses anything by their going: whoever has not read such a row has not read the later one either. With
    `upto` at the slowest consumer (cursors.slowest) each meets every operation once, too.
    """
    last = func.max(changes.c.seq).over(partition_by=changes.c.article_id).label("last")
    numbered = select(changes.c.seq, last).subquery()
    query = select(numbered.c.seq).where(numbered.c.seq < numbered.c.last, numbered.c.seq <= upto)
    return list(connection.execute(query.order_by(numbered.c.seq).limit(limit)).scalars())


def drop(connection: Connection, seqs: Iterable[int]) -> int:
    """Removes superseded rows; returns how many."""
    found = 0
    for chunk in chunks(sorted(set(seqs))):
        found += connection.execute(delete(changes).where(changes.c.seq.in_(chunk))).rowcount
    return found
