"""The change feed: one row for each change that readers of the articles should see.

A row is written in the transaction that changes the article, which excludes all other writers until its commit
(engine.transactions.begin_write). So `seq` follows the order of commits: a consumer that has read up to a number has
seen every row below it and asks for the rows above. A row names the article to read again and says why. The article is
read when the row is delivered (reports.documents), so reading a row twice does no harm.

A row of a `merge` is about a story: its `article_id` is the negative number of the story. So no consumer that keeps
articles by id takes it for a change of the article with that id, which may be shown.

A consumer receives several changes of one article as one, with the strongest reason among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Connection, delete, exists, func, select, update

from newscrawl.storage.engine.sql import RowMapping, Values, chunks, insert_all, rows_among
from newscrawl.storage.records import PageRow
from newscrawl.storage.tables.articles import STORY, articles, pages, versions
from newscrawl.storage.tables.changes import changes

GONE: Final = "gone"
_IS_SHOWN: Final = exists().where(pages.c.article_id == articles.c.id, pages.c.state != GONE)


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


_CHANGE: Final = RowMapping(Change)


@dataclass(frozen=True, slots=True)
class ChangedPage:
    """A page of a changed article. `page_id` is never given to another page, and the page keeps it when its text
    changes; `first_seen` is when newscrawl first knew of the page."""

    page_id: int
    url: str
    first_seen: datetime


def append(connection: Connection, article_ids: Iterable[int], now: datetime, reason: Reason) -> None:
    """Appends an `upsert` with the reason for each article, in the given order. Call it in the transaction that makes
    the change."""
    append_rows(connection, [_row(number, "upsert", now, Cause(reason)) for number in dict.fromkeys(article_ids)])


def append_rows(connection: Connection, rows: Sequence[Values]) -> None:
    """Appends rows that were made by `seen` and `merges`, in the given order."""
    insert_all(connection, changes, rows)


def seen(
    connection: Connection,
    causes: Mapping[int, Cause],
    now: datetime,
    removal: Reason = "superseded",
    stories: Mapping[int, int] | None = None,
    shown: Collection[int] = (),
    gone: Collection[int] = (),
) -> list[Values]:
    """Returns a row for each article: an `upsert` with its cause, or a `remove` where no page shows the article now.

    The reason of a `remove` is the cause's if that is one of removals; `gone` for the articles in `gone`; else
    `removal`. Its story is that of `stories`, else the stored one. Removals come last, so that a consumer receives the
    new text of a story before the old one is removed. `shown` are articles that a page of the transaction shows.
    """
    placed = stories_of(connection, causes.keys() - set(shown))
    current = {*shown, *(number for number, (_, is_shown) in placed.items() if is_shown)}
    rows = [_row(number, "upsert", now, cause) for number, cause in causes.items() if number in current]
    lost = [number for number in causes if number not in current]
    story_of = {number: story for number in lost if (story := placed[number][0]) is not None} | dict(stories or {})
    for number in lost:
        cause = causes[number]
        reason = cause.reason if cause.reason in OF_REMOVALS else GONE if number in gone else removal
        rows.append(
            _row(number, "remove", now, Cause(reason, None, (), cause.replaced_by), story_of.get(number, number))
        )
    return rows


def merges(into: Mapping[int, tuple[int, Reason]], now: datetime) -> list[Values]:
    """Returns a `merge` for each story that has no shown article any longer: `into` gives the story that takes its
    place, and the reason."""
    return [_row(-story, "merge", now, Cause(reason), story, other) for story, (other, reason) in into.items()]


def append_again(connection: Connection, stored: Sequence[Change], now: datetime) -> None:
    """Appends stored merges once more."""
    rows = [_row(one.article_id, "merge", now, one.cause, one.story_id, one.into_story_id) for one in stored]
    append_rows(connection, rows)


def read(connection: Connection, after_seq: int, limit: int) -> list[Change]:
    """Returns at most `limit` changes after the number `after_seq`, in the order of commits."""
    return _read(connection, changes.c.seq > after_seq, limit)


def by_article(connection: Connection, article_ids: Iterable[int]) -> dict[int, list[Change]]:
    """Returns the stored changes of the articles in order, by article id."""
    found: dict[int, list[Change]] = defaultdict(list)
    for row in rows_among(connection, select(changes).order_by(changes.c.seq), changes.c.article_id, article_ids):
        found[row.article_id].append(_CHANGE.read(row))
    return found


def newest(connection: Connection) -> int:
    """Returns the highest number in use, 0 if there is no change."""
    return connection.execute(select(func.max(changes.c.seq))).scalar() or 0


def shown_by(page: PageRow | None) -> bool:
    """Returns whether the page shows its article. A page that is gone shows none."""
    return page is not None and page.state != GONE


def still_shown(connection: Connection, article_ids: Iterable[int], without: Iterable[int] = ()) -> set[int]:
    """Returns the articles that some page shows, other than the pages with the ids `without`."""
    left_out = set(without)
    query = select(pages.c.article_id, pages.c.id).where(pages.c.state != GONE)
    rows = rows_among(connection, query, pages.c.article_id, article_ids)
    return {row.article_id for row in rows if row.id not in left_out}


def stories_of(connection: Connection, article_ids: Iterable[int]) -> dict[int, tuple[int | None, bool]]:
    """Returns the story of each article, None if the article is not stored, and whether a page shows it, by id."""
    found: dict[int, tuple[int | None, bool]] = dict.fromkeys(article_ids, (None, False))
    query = select(articles.c.id, STORY, _IS_SHOWN)
    for number, story, is_shown in rows_among(connection, query, articles.c.id, found):
        found[number] = story, bool(is_shown)
    return found


def shown_stories(connection: Connection, numbers: Iterable[int]) -> set[int]:
    """Returns those of the stories of which some page shows an article."""
    return {row[0] for row in rows_among(connection, select(STORY).where(_IS_SHOWN).distinct(), STORY, numbers)}


def pages_of(connection: Connection, article_ids: Iterable[int]) -> dict[int, Sequence[ChangedPage]]:
    """Returns the pages that show each article, by article id. For an article that no page shows, these are the stored
    pages that have shown it. The pages that showed it first come first."""
    shown: dict[int, list[ChangedPage]] = defaultdict(list)
    former: dict[int, list[ChangedPage]] = defaultdict(list)
    query = (
        select(
            versions.c.article_id,
            *(pages.c.id, pages.c.url, pages.c.first_seen, pages.c.state, pages.c.article_id.label("shows")),
        )
        .join(pages, pages.c.id == versions.c.page_id)
        .order_by(versions.c.seen_at, pages.c.id)
    )
    for row in rows_among(connection, query, versions.c.article_id, article_ids):
        is_shown = row.shows == row.article_id and row.state != GONE
        (shown if is_shown else former)[row.article_id].append(ChangedPage(row.id, row.url, row.first_seen))
    return {**former, **shown}


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
    return [_CHANGE.read(row) for row in connection.execute(query)]


def _row(
    article_id: int, op: Op, now: datetime, cause: Cause, story_id: int | None = None, into: int | None = None
) -> Values:
    own = {"article_id": article_id, "op": op, "at": now, "story_id": story_id, "into_story_id": into}
    return own | _cause_values(cause)


def _cause_values(cause: Cause) -> Values:
    return {
        "reason": cause.reason,
        "change_class": cause.change_class,
        "replaces": list(cause.replaces) or None,
        "replaced_by": list(cause.replaced_by) or None,
        "new_entries": list(cause.entries) or None,
    }


Op = Literal["upsert", "remove", "merge"]
"""`upsert`: some page shows the article; it is to be stored as it is now. `remove`: no page shows it any longer.
`merge`: no shown article belongs to a story any longer, and another story takes its place."""

Reason = Literal[
    "forgotten",
    "expired",
    "gone",
    "superseded",
    "new",
    "corrected",
    "headline",
    "re-extracted",
    "parted",
    "joined",
    "metadata",
]

STRENGTH: Final[Sequence[Reason]] = (
    *("forgotten", "expired", "gone", "superseded"),
    *("new", "corrected", "headline", "re-extracted", "parted", "joined", "metadata"),
)
"""All reasons, the strongest first: what obliges a consumer to delete, then what the publisher did, then what newscrawl
did itself."""
OF_REMOVALS: Final[frozenset[Reason]] = frozenset({"forgotten", "expired", "gone", "superseded", "re-extracted"})
"""The reasons of `remove`. All others, and `re-extracted`, are reasons of `upsert`; `merge` has `parted`,
`corrected` or `re-extracted`."""

MAX_IDS: Final = 100
"""Ids that a change names in `replaces` and in `replaced_by`: those named last."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why an article changed.

    `reason` is None if it is not known, or is that of the other operation (`combined_for`). `change_class` is the class
    of the new version of a page (`newscrawl.storage.articles.deciding.differences`). `replaces` are the articles that
    its pages showed before, `replaced_by` those that its former pages show instead of it. `entries` are the new entries
    of a live report, as JSON objects with `at` and `title`.
    """

    reason: Reason | None
    change_class: str | None = None
    replaces: Sequence[int] = ()
    replaced_by: Sequence[int] = ()
    entries: Sequence[Mapping[str, Any]] = ()


NO_CAUSE: Final = Cause(None)
"""The cause of a change of which the reason is not known."""


def stronger(one: Reason | None, other: Reason | None) -> Reason | None:
    """Returns the stronger of two reasons; any reason is stronger than None."""
    if one is None or other is None:
        return one or other
    return one if STRENGTH.index(one) <= STRENGTH.index(other) else other


def combined(causes: Iterable[Cause]) -> Cause:
    """Returns the causes, given in the order of their changes, as one: the strongest reason with the class of its last
    change, and all replaced articles and new entries. What a later cause says of another article contradicts an earlier
    one."""
    reason: Reason | None = None
    change_class: str | None = None
    replaces: Sequence[int] = ()
    replaced_by: Sequence[int] = ()
    entries: list[Mapping[str, Any]] = []
    for cause in causes:
        if cause.reason is not None and stronger(reason, cause.reason) == cause.reason:
            change_class = cause.change_class or (change_class if reason == cause.reason else None)
            reason = cause.reason
        replaces = _ids(replaces, cause.replaces, without=cause.replaced_by)
        replaced_by = _ids(replaced_by, cause.replaced_by, without=cause.replaces)
        entries = [*(entry for entry in cause.entries if entry not in entries), *entries][:MAX_IDS]
    return Cause(reason, change_class, replaces, replaced_by, tuple(entries))


def combined_for(causes: Sequence[tuple[Op, Cause]], op: Op) -> Cause:
    """Returns the causes of an article's changes as one, for an entry with `op`.

    Reasons and new entries of the other operation do not count; the replaced articles of all changes do."""
    fitting = (
        cause if own == op else replace(cause, reason=None, change_class=None, entries=()) for own, cause in causes
    )
    return combined(fitting)


def _ids(before: Sequence[int], now: Sequence[int], *, without: Sequence[int]) -> Sequence[int]:
    kept = [number for number in before if number not in now and number not in without]
    return (*kept, *dict.fromkeys(now))[-MAX_IDS:]
