"""Titles and authors that a page has shown over one text, where there was more than one.

`versions` holds one row a page and text, with what is said of it now; what was said before is kept here, beside that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, delete, exists, update

from newscrawl.storage.articles.rows import Values
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.records import Label
from newscrawl.storage.tables.changes import headlines


def write(connection: Connection, found: Iterable[tuple[int, int, Label]]) -> None:
    """Keeps the labels of (page, article, label); one that is kept already has been seen from the earlier date on."""
    rows: dict[tuple[int, int, str], Values] = {}
    for page_id, article_id, label in found:
        rows[page_id, article_id, label.key] = {
            "page_id": page_id,
            "article_id": article_id,
            "label_key": label.key,
            "title": label.title,
            "authors": list(label.authors) or None,
            "seen_at": label.seen_at,
            "last_seen": label.last_seen,
        }
    key = ["page_id", "article_id", "label_key"]
    upsert(connection, headlines, key, list(rows.values()), {"seen_at": _earlier, "last_seen": _later})


def move(connection: Connection, old: int, new: int) -> None:
    """Gives one page's labels to another."""
    other = headlines.alias()
    clash = exists().where(
        other.c.page_id == new,
        other.c.article_id == headlines.c.article_id,
        other.c.label_key == headlines.c.label_key,
    )
    connection.execute(delete(headlines).where(headlines.c.page_id == old, clash))
    connection.execute(update(headlines).where(headlines.c.page_id == old).values(page_id=new))


def _earlier(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((incoming < stored, incoming), else_=stored)


def _later(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((incoming > stored, incoming), else_=stored)
