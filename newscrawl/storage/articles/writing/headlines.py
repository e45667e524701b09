"""Titles and authors that a page has shown over one text, where there was more than one.

`versions` has one row for each page and text, with its present metadata. Earlier titles and authors are stored here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, delete, exists, update

from newscrawl.storage.engine.row_mapping import RowMapping, Values
from newscrawl.storage.engine.sql import earlier, later, upsert
from newscrawl.storage.records import Label
from newscrawl.storage.tables.articles import headlines

LABEL: Final = RowMapping(Label, renamed={"key": "label_key"})


def write(connection: Connection, found: Iterable[tuple[int, int, Label]]) -> None:
    """Stores labels, given as (page id, article id, label). A stored label keeps the earlier first date and the later
    last date."""
    rows: dict[tuple[int, int, str], Values] = {}
    for page_id, article_id, label in found:
        values = LABEL.values(label)
        rows[page_id, article_id, label.key] = values | {"page_id": page_id, "article_id": article_id}
    key = ["page_id", "article_id", "label_key"]
    upsert(connection, headlines, key, list(rows.values()), {"seen_at": earlier, "last_seen": later})


def move(connection: Connection, old: int, new: int) -> None:
    """Moves the labels of one page to another."""
    other = headlines.alias()
    clash = exists().where(
        other.c.page_id == new,
        other.c.article_id == headlines.c.article_id,
        other.c.label_key == headlines.c.label_key,
    )
    connection.execute(delete(headlines).where(headlines.c.page_id == old, clash))
    connection.execute(update(headlines).where(headlines.c.page_id == old).values(page_id=new))
