"""Writes the texts, and what each page said of them: rows of `articles`, `versions` and `headlines`, and the results of
captures.

`versions` has one row for each page and text, with its present metadata. Titles and authors that a page has shown over
one text, where there was more than one, are rows of `headlines`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, bindparam, case, delete, exists, func, select, update

from newscrawl.model import Article
from newscrawl.storage.articles.deciding.known import Intent, ItemBatch, PreviousReading
from newscrawl.storage.articles.rows import article_values, version_values
from newscrawl.storage.captures import locations
from newscrawl.storage.engine.sql import RowMapping, Values, earlier, incoming, insert_new, later, upsert
from newscrawl.storage.feed.announce import article_of
from newscrawl.storage.records import Label
from newscrawl.storage.tables.articles import articles, captures, headlines, pages, versions

_DATES: Final = ("published", "modified")
_EARLIER: Final = (
    update(articles)
    .where(articles.c.id == bindparam("_article"), articles.c.first_seen > bindparam("_at"))
    .values(first_seen=bindparam("_at"))
)
LABEL: Final = RowMapping(Label)
_VERSION_KEEPS: Final = frozenset({"id", "page_id", "article_id", "change_class", "new_entries"})


def write_articles(connection: Connection, part: ItemBatch) -> dict[int, Article]:
    """Inserts the texts that are new, and completes `part.known.articles` with their ids. Returns the new articles by
    id."""
    known = part.known
    rows: dict[str, Values] = {}
    texts: dict[str, Article] = {}
    for item, intent in part.decided:
        article = intent.stores
        if article is not None and article.identity_key is not None and known.articles[article.identity_key] is None:
            rows.setdefault(article.identity_key, article_values(article, item.page.raw.fetched_at))
            texts.setdefault(article.identity_key, article)
    written = insert_new(connection, articles, "identity_key", list(rows.values()))
    known.articles.update(written)
    return {number: texts[identity] for identity, number in written.items()}


def write_earlier(connection: Connection, part: ItemBatch) -> None:
    """Stores the times of captures that prove that articles were seen earlier than stored: archives are read in any
    order. A time that is later than the stored one is ignored."""
    proved = ((part.article_id(intent), intent.seen_since) for _, intent in part.decided if intent.seen_since)
    if rows := [{"_article": number, "_at": at} for number, at in proved if number is not None]:
        connection.execute(_EARLIER, rows)


def write_versions(connection: Connection, part: ItemBatch, rows: Mapping[tuple[int, int], Values]) -> None:
    """Writes the rows of `version_rows`, and titles and authors that changed."""
    # A re-extraction replaces everything: what it leaves out was an error of the earlier extraction.
    rule = _richer_column if part.occasion.is_visit else incoming
    changes = {column.name: rule for column in versions.c if column.name not in _VERSION_KEEPS}
    if part.occasion.is_visit:
        changes |= _OFFSETS
    changes |= {"seen_at": earlier, "last_seen": later}
    upsert(connection, versions, ["page_id", "article_id"], list(rows.values()), changes)
    _write_labels(connection, part)


def version_rows(part: ItemBatch) -> dict[tuple[int, int], Values]:
    """Returns the metadata that the pages state as rows of `versions`, by page and article."""
    rows: dict[tuple[int, int], Values] = {}
    for item, intent in part.decided:
        if intent.stores is None:
            continue
        page_id, article_id = part.page_id(intent), part.article_id(intent)
        if article_id is None:
            raise LookupError(f"article {intent.stores.identity_key} was not written")
        values = version_values(
            intent.stores, page_id, article_id, intent.change_class, item.page.raw.fetched_at, intent.entries
        )
        key = page_id, article_id
        rows[key] = _joined(rows[key], values, fills_gaps=part.occasion.is_visit) if key in rows else values
    return rows


def _write_labels(connection: Connection, part: ItemBatch) -> None:
    """Stores titles and authors. A stored label keeps the earlier first date and the later last date."""
    rows: dict[tuple[int, int, str], Values] = {}
    for _, intent in part.decided:
        article_id = article_of(part.known, intent.page) if intent.labels else None
        if article_id is not None:
            page_id = part.page_id(intent)
            for label in intent.labels:
                own = {"page_id": page_id, "article_id": article_id}
                rows[page_id, article_id, label.label_key] = LABEL.values(label) | own
    key = ["page_id", "article_id", "label_key"]
    upsert(connection, headlines, key, list(rows.values()), {"seen_at": earlier, "last_seen": later})


def _joined(row: Values, other: Values, *, fills_gaps: bool) -> Values:
    """Returns one row for two readings of a version in a batch: the later one, its gaps filled by the earlier one."""
    first, last = (row, other) if row["last_seen"] <= other["last_seen"] else (other, row)
    merged = {name: value if value is not None or not fills_gaps else first[name] for name, value in last.items()}
    if fills_gaps:
        merged |= {f"{date}_offset": (first if last[date] is None else last)[f"{date}_offset"] for date in _DATES}
    kept = {name: row[name] for name in ("change_class", "new_entries")}
    return merged | {"seen_at": min(row["seen_at"], other["seen_at"])} | kept


def _richer_column(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Does what `_joined` does, in SQL, for one column of the stored row and the incoming one."""
    is_later = _last_seen(new) >= versions.c.last_seen
    return case((is_later, func.coalesce(new, old)), else_=func.coalesce(old, new))


def _offset_of(date: str) -> Callable[[ColumnElement[Any], ColumnElement[Any]], ColumnElement[Any]]:
    """Returns the rule of the column of a date's offset. It comes from the reading that gives the date, also where that
    states no offset."""

    def rule(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
        stored_date, new_date = versions.c[date], new.table.c[date]
        is_taken = case((_last_seen(new) >= versions.c.last_seen, new_date.is_not(None)), else_=stored_date.is_(None))
        return case((is_taken, new), else_=old)

    return rule


def _last_seen(new: ColumnElement[Any]) -> ColumnElement[Any]:
    return new.table.c.last_seen  # type: ignore[no-any-return]


_OFFSETS: Final = {f"{date}_offset": _offset_of(date) for date in _DATES}


def write_captures(connection: Connection, part: ItemBatch) -> None:
    """Records where the pages are in the archive, with the result of each."""
    new = [item.page for item, intent in part.decided if intent.instead_of is None]
    locations.record(connection, new, part.known.articles, part.facts.files)
    if part.occasion.kind == "released":  # the review queue does not know the captures of its pages
        for item, intent in part.decided:
            locations.set_result(connection, item.key, item.page.raw.fetched_at, part.article_id(intent))


def replace_readings(connection: Connection, part: ItemBatch) -> None:
    """Replaces the earlier results of captures by re-extracted articles, in `captures` and in `versions`.

    A text that is still the result of another capture stays a version.
    """
    for _, intent in part.decided:
        if intent.instead_of is not None:
            _replace(connection, part, intent, intent.instead_of)


def _replace(connection: Connection, part: ItemBatch, intent: Intent, previous: PreviousReading) -> None:
    page_id, article_id = part.page_id(intent), part.article_id(intent)
    if intent.stores is None and previous.article_id is not None and not previous.shown:
        article_id = previous.article_id
    locations.replace_result(connection, previous, article_id, None)
    if article_id is None or article_id == previous.article_id:
        return
    if previous.article_id is not None:
        _give_place(connection, previous, page_id, article_id)
    else:
        version = and_(versions.c.page_id == page_id, versions.c.article_id == article_id)
        seen = _seen(connection, previous.url_key, article_id)
        connection.execute(update(versions).where(version).values(**seen))


def _seen(connection: Connection, key: str, article_id: int) -> dict[str, datetime]:
    """Returns the times of the first and last capture of a page whose result is the article."""
    span = select(func.min(captures.c.fetched_at), func.max(captures.c.fetched_at))
    first, last = connection.execute(span.where(captures.c.url_key == key, captures.c.article_id == article_id)).one()
    return {"seen_at": first, "last_seen": last}


def _give_place(connection: Connection, previous: PreviousReading, page_id: int, article_id: int) -> None:
    """Gives the version of the new article the dates of its captures. Where the old version has dates outside the
    stored captures, from before there was an archive, the new one gets them. The old version is deleted if no other
    capture has it as its result."""
    theirs = and_(versions.c.page_id == page_id, versions.c.article_id == previous.article_id)
    mine = and_(versions.c.page_id == page_id, versions.c.article_id == article_id)
    old_version = connection.execute(select(versions).where(theirs)).first()
    if old_version is None:
        return
    here = captures.c.url_key == previous.url_key
    seen = _seen(connection, previous.url_key, article_id)
    first, last = connection.execute(
        select(func.min(captures.c.fetched_at), func.max(captures.c.fetched_at)).where(here)
    ).one()
    if old_version.seen_at < first:
        seen["seen_at"] = min(seen["seen_at"], old_version.seen_at)
    if old_version.last_seen > last:
        seen["last_seen"] = max(seen["last_seen"], old_version.last_seen)
    taken = {"change_class": old_version.change_class, "new_entries": old_version.new_entries}
    taken = taken if seen["seen_at"] == old_version.seen_at else {}
    connection.execute(update(versions).where(mine).values(**seen, **taken))
    witness = exists().where(here, captures.c.article_id == previous.article_id)
    shown = exists().where(pages.c.id == page_id, pages.c.article_id == previous.article_id)
    connection.execute(delete(versions).where(theirs, ~witness, ~shown))
