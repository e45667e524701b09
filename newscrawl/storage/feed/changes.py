"""The change feed: one row for each change that readers of the articles should see.

A row is written in the transaction that changes the article, which excludes all other writers until its commit
(engine.transactions.begin_write). So `seq` follows the order of commits: a consumer that has read up to a number has
seen every row below it and asks for the rows above. A row names the article to read again and says why.
The article is read when the row is delivered (reports.documents), so reading a row twice does no harm.

A row of a `merge` is about a story: its `article_id` is the negative number of the story. So no consumer that keeps
articles by id takes it for a change of the article with that id, which may be shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from newscrawl.storage.engine.sql import chunks, insert_all
from newscrawl.storage.feed import article_stories
from newscrawl.storage.feed.change_causes import OF_REMOVALS, Cause, Op, Reason, combined_for
from newscrawl.storage.records import PageRow
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.changes import changes

GONE: Final = "gone"


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the feed. `story_id` is stored for `remove` and `merge`, `into_story_id` for `merge`."""

    seq: int
    article_id: int
    op: Op
    at: datetime
    reason: Reason | None = None
    story_id: int | None = None
    into_story_id: int | None = None
    change_class: str | None = None
    replaces: Sequence[int] = ()
    replaced_by: Sequence[int] = ()
    new_entries: Sequence[Mapping[str, Any]] = ()

    @property
    def cause(self) -> Cause:
        """Why the article changed."""
        return Cause(self.reason, self.change_class, self.replaces, self.replaced_by, self.new_entries)


def append(connection: Connection, article_ids: Iterable[int], now: datetime, reason: Reason) -> None:
    """Appends an `upsert` with the reason for each article, in the given order. Call it in the transaction that makes
    the change."""
    _insert(connection, [_row(number, "upsert", now, Cause(reason)) for number in dict.fromkeys(article_ids)])


def append_seen(
    connection: Connection,
    causes: Mapping[int, Cause],
    now: datetime,
    removal: Reason = "superseded",
    stories: Mapping[int, int] | None = None,
    shown: Collection[int] = (),
    gone: Collection[int] = (),
) -> None:
    """Appends a row for each article: an `upsert` with its cause, or a `remove` where no page shows the article now.

    The reason of a `remove` is the cause's if that is one of removals; `gone` for the articles in `gone`; else
    `removal`. Its story is that of `stories`,
    else the stored one. Removals come last, so that a consumer receives the new text of a story before the old one is
    removed. `shown` are articles that a page of the transaction shows.
    """
    placed = article_stories.by_article(connection, causes.keys() - set(shown))
    current = {*shown, *(number for number, one in placed.items() if one.is_shown)}
    rows = [_row(number, "upsert", now, cause) for number, cause in causes.items() if number in current]
    lost = [number for number in causes if number not in current]
    story_of = {number: story for number in lost if (story := placed[number].story) is not None} | dict(stories or {})
    for number in lost:
        cause = causes[number]
        reason = cause.reason if cause.reason in OF_REMOVALS else GONE if number in gone else removal
        rows.append(
            _row(number, "remove", now, Cause(reason, None, (), cause.replaced_by), story_of.get(number, number))
        )
    _insert(connection, rows)


def append_merges(connection: Connection, into: Mapping[int, tuple[int, Reason]], now: datetime) -> None:
    """Appends a `merge` for each story that has no shown article any longer: `into` gives the story that takes its
    place, and the reason."""
    _insert(
        connection,
        [
            _row(-story, "merge", now, Cause(reason), story) | {"into_story_id": other}
            for story, (other, reason) in into.items()
        ],
    )


def append_again(connection: Connection, merges: Sequence[Change], now: datetime) -> None:
    """Appends stored merges once more."""
    rows = [_row(one.article_id, "merge", now, one.cause, one.story_id) for one in merges]
    _insert(connection, [row | {"into_story_id": one.into_story_id} for row, one in zip(rows, merges, strict=True)])


@dataclass(frozen=True, slots=True)
class Appended:
    """The changes that a transaction has appended since the block of `gathered` began."""

    rows: list[dict[str, Any]]
    start: int

    @property
    def subjects(self) -> tuple[set[int], set[int]]:
        """The ids of the articles with a change, and the stories with a `merge`."""
        numbers = {int(row["article_id"]) for row in self.rows[self.start :]}
        return {number for number in numbers if number > 0}, {-number for number in numbers if number < 0}

    @property
    def removals(self) -> list[tuple[int, int | None, Sequence[int]]]:
        """The removed articles, each with its story and the articles that are shown instead."""
        rows = [row for row in self.rows[self.start :] if row["op"] == "remove"]
        return [(row["article_id"], row["story_id"], tuple(row["replaced_by"] or ())) for row in rows]

    @property
    def merged(self) -> set[int]:
        """The stories with a `merge`."""
        return self.subjects[1]


_GATHERED: Final[WeakKeyDictionary[Connection, list[dict[str, Any]]]] = WeakKeyDictionary()
"""The changes that a transaction has not written yet."""


@contextmanager
def gathered(connection: Connection) -> Iterator[Appended]:
    """Gathers the changes that the block appends. They are written in one statement by `write`, or at the end of the
    outermost block. The changes of a block that fails are not written."""
    rows = _GATHERED.get(connection)
    if rows is not None:
        yield Appended(rows, len(rows))
        return
    rows = _GATHERED[connection] = []
    try:
        yield Appended(rows, 0)
        write(connection)
    finally:
        del _GATHERED[connection]


def write(connection: Connection) -> None:
    """Writes the changes that were gathered so far."""
    rows = _GATHERED.get(connection)
    if rows:
        insert_all(connection, changes, rows)
        rows.clear()


def read(connection: Connection, after_seq: int, limit: int) -> list[Change]:
    """Returns at most `limit` changes after the number `after_seq`, in the order of commits."""
    return _read(connection, changes.c.seq > after_seq, limit)


def by_article(connection: Connection, article_ids: Iterable[int]) -> dict[int, list[Change]]:
    """Returns the stored changes of the articles in order, by article id."""
    found: dict[int, list[Change]] = defaultdict(list)
    for chunk in chunks(sorted(set(article_ids))):
        for change in _read(connection, changes.c.article_id.in_(chunk)):
            found[change.article_id].append(change)
    return found


def newest(connection: Connection) -> int:
    """Returns the highest number in use, 0 if there is no change."""
    return connection.execute(select(func.max(changes.c.seq))).scalar() or 0


def shown_by(page: PageRow | None) -> bool:
    """Returns whether the page shows its article. A page that is gone shows none."""
    return page is not None and page.state != GONE


def still_shown(connection: Connection, article_ids: Iterable[int], without: Iterable[int] = ()) -> set[int]:
    """Returns the articles that some page shows, other than the pages with the ids `without`."""
    shown: set[int] = set()
    left_out = set(without)
    for chunk in chunks(sorted(set(article_ids))):
        query = select(pages.c.article_id, pages.c.id).where(pages.c.article_id.in_(chunk), pages.c.state != GONE)
        shown.update(row.article_id for row in connection.execute(query) if row.id not in left_out)
    return shown


def superseded(connection: Connection, upto: int, limit: int) -> list[int]:
    """Returns at most `limit` numbers of rows that are followed by another row of the same article or story, and that
    row is not above `upto` either.

    They can be removed (`drop`) if every consumer has read the rows up to `upto` (consumers.needless_changes).
    """
    last = func.max(changes.c.seq).over(partition_by=changes.c.article_id).label("last")
    numbered = select(changes.c.seq, last).where(changes.c.seq <= upto).subquery()
    query = select(numbered.c.seq).where(numbered.c.seq < numbered.c.last)
    return list(connection.execute(query.order_by(numbered.c.seq).limit(limit)).scalars())


def drop(connection: Connection, seqs: Iterable[int]) -> int:
    """Removes superseded rows. Returns how many were removed. The next row that stays gets their causes, too, so that a
    new consumer, which receives only this row, receives the strongest reason."""
    removed = 0
    for chunk in chunks(sorted(set(seqs))):
        dropped = _read(connection, changes.c.seq.in_(chunk))
        _fold(connection, [change for change in dropped if change.op != "merge"], set(chunk))
        removed += connection.execute(delete(changes).where(changes.c.seq.in_(chunk))).rowcount
    return removed


def _fold(connection: Connection, dropped: Sequence[Change], seqs: set[int]) -> None:
    """Writes the causes of dropped rows into the next row of the same article."""
    former: dict[int, list[Change]] = defaultdict(list)
    for change in dropped:
        former[change.article_id].append(change)
    for article_id, rows in by_article(connection, former).items():
        kept = next((row for row in rows if row.seq not in seqs and row.seq > former[article_id][-1].seq), None)
        if kept is None:
            continue
        cause = combined_for([(row.op, row.cause) for row in (*former[article_id], kept)], kept.op)
        if cause != kept.cause:
            connection.execute(update(changes).where(changes.c.seq == kept.seq).values(_cause_values(cause)))


def _read(connection: Connection, condition: ColumnElement[bool], limit: int | None = None) -> list[Change]:
    query = select(changes).where(condition).order_by(changes.c.seq).limit(limit)
    return [
        Change(
            *(row.seq, row.article_id, row.op, row.at, row.reason, row.story_id, row.into_story_id, row.change_class),
            tuple(row.replaces or ()),
            tuple(row.replaced_by or ()),
            tuple(row.new_entries or ()),
        )
        for row in connection.execute(query)
    ]


def _row(article_id: int, op: Op, now: datetime, cause: Cause, story_id: int | None = None) -> dict[str, Any]:
    own = {"article_id": article_id, "op": op, "at": now, "story_id": story_id, "into_story_id": None}
    return own | _cause_values(cause)


def _cause_values(cause: Cause) -> dict[str, Any]:
    return {
        "reason": cause.reason,
        "change_class": cause.change_class,
        "replaces": list(cause.replaces) or None,
        "replaced_by": list(cause.replaced_by) or None,
        "new_entries": list(cause.entries) or None,
    }


def _insert(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    waiting = _GATHERED.get(connection)
    if waiting is not None:
        waiting.extend(rows)
    elif rows:
        insert_all(connection, changes, rows)
