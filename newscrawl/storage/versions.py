"""What pages show: the version of each page's current article, as stored, beside what a new reading says of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, and_, select

from newscrawl.storage.lookup import chunks
from newscrawl.storage.records import Shown
from newscrawl.storage.rows import Values
from newscrawl.storage.schema import pages, versions

SAID: Final = (
    *("title", "authors", "published", "modified", "verdict", "canonical"),
    *("section", "tags", "image", "site_name", "description"),
)
"""The columns that an article's readers see (reports.ExportedArticle)."""


def shown(connection: Connection, page_ids: Iterable[int]) -> dict[int, Shown]:
    """What the pages show, by the page's id; pages without an article are left out."""
    found: dict[int, Shown] = {}
    current = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    query = select(versions).join(pages, current)
    for chunk in chunks(sorted(set(page_ids))):
        for row in connection.execute(query.where(versions.c.page_id.in_(chunk))):
            said = {name: getattr(row, name) for name in SAID}
            found[row.page_id] = Shown(row.article_id, row.seen_at, row.last_seen, said)
    return found


def changes_what_is_said(stored: Shown, values: Values) -> bool:
    """Whether a row of `versions` about the same text, written over the stored one, changes what readers see. What it
    leaves open stays; an older reading only fills gaps and moves the day the version was first seen."""
    if values["seen_at"] < stored.seen_at:
        return True
    is_later = values["last_seen"] >= stored.last_seen
    for name in SAID:
        new, old = _as_stored(name, values[name]), stored.said[name]
        if new is not None and new != old and (is_later or old is None):
            return True
    return False


def _as_stored(name: str, value: Any) -> Any:
    """The value as it would be read back: cleaned and cut, which must not look like a change at every visit."""
    if value is None or isinstance(value, datetime):
        return value
    bind: Any = versions.c[name].type
    return bind.process_bind_param(value, None)
