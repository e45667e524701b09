"""Writes rows of `articles` and `versions`: the texts, and their metadata on each page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, bindparam, case, func, update

from newscrawl.model import Article
from newscrawl.storage.articles.rows import article_values, version_values
from newscrawl.storage.articles.versions import classify_again
from newscrawl.storage.articles.writing import headlines
from newscrawl.storage.articles.writing.part import ItemBatch
from newscrawl.storage.duplicates.join import NewArticle
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.sql import earlier, incoming, insert_new, later, upsert
from newscrawl.storage.feed.announce import article_of
from newscrawl.storage.records import Label
from newscrawl.storage.tables.articles import articles, versions

_DATES: Final = ("published", "modified")
_EARLIER: Final = (
    update(articles)
    .where(articles.c.id == bindparam("_article"), articles.c.first_seen > bindparam("_at"))
    .values(first_seen=bindparam("_at"))
)
_VERSION_KEEPS: Final = frozenset({"id", "page_id", "article_id", "change_class", "new_entries"})


def write_articles(connection: Connection, part: ItemBatch) -> list[NewArticle]:
    """Inserts the texts that are new, and completes `part.known.articles` with their ids."""
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
    new = [(number, texts[identity]) for identity, number in written.items()]
    return [NewArticle(number, article.text, article.signature) for number, article in new]


def write_earlier(connection: Connection, times: Mapping[int, datetime]) -> None:
    """Stores earlier times at which articles were seen. A time that is later than the stored one is ignored."""
    rows = [{"_article": number, "_at": at} for number, at in sorted(times.items())]
    if rows:
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


def classify_older(connection: Connection, part: ItemBatch) -> None:
    """Classifies the versions of pages again of which the part has an older capture. Call it after the rows are
    written."""
    classify_again(connection, {part.page_id(intent) for _, intent in part.decided if intent.late})


def _write_labels(connection: Connection, part: ItemBatch) -> None:
    labels: list[tuple[int, int, Label]] = []
    for _, intent in part.decided:
        article_id = article_of(part.known, intent.page) if intent.labels else None
        if article_id is not None:
            page_id = part.page_id(intent)
            labels += [(page_id, article_id, label) for label in intent.labels]
    headlines.write(connection, labels)


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
