"""The pages that wait for review in parts, the newest first, each with its capture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, func, select

from newscrawl.storage.tables.archive import captures
from newscrawl.storage.tables.review import review_queue


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A page that waits for review. `characters` is None if no text was found; `failure` then says why. `capture` is
    the number of its capture in the raw archive, None if that is not kept."""

    id: int
    url: str
    site: str
    at: datetime
    reasons: Sequence[str]
    failure: str | None
    extractor: str | None
    title: str | None
    characters: int | None
    beginning: str | None
    capture: int | None


BEGINNING = 300
"""Characters of a text that are shown."""


def part(connection: Connection, site: str | None, size: int, before: int | None) -> Sequence[ReviewLine]:
    """Returns the next pages, of a site or of all (None), with ids below `before`; at most `size`."""
    table = review_queue.c
    own = and_(
        captures.c.url_key == table.final_key, captures.c.fetched_at == table.at, captures.c.body_file_id.is_not(None)
    )
    names = ("id", "url", "site", "at", "reasons", "failure", "extractor", "title")
    query = select(
        *(table[name] for name in names),
        func.length(table.text).label("characters"),
        func.substr(table.text, 1, BEGINNING).label("beginning"),
        select(func.max(captures.c.id)).where(own).scalar_subquery().label("capture"),
    ).order_by(table.id.desc())
    if site is not None:
        query = query.where(table.site == site)
    if before is not None:
        query = query.where(table.id < before)
    rows = connection.execute(query.limit(size))
    return [ReviewLine(**row._asdict() | {"reasons": tuple(row.reasons or ())}) for row in rows]
