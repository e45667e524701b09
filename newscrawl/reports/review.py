"""The pages that wait for review, the least confident first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.tables.articles import captures
from newscrawl.storage.tables.operations import review_queue

Place = tuple[float | None, int]
"""The confidence of a page and its number, which tell its place in the queue."""

BEGINNING: Final = 300
"""Characters of a text that are reported."""

_OWN_CAPTURE: Final = and_(
    captures.c.url_key == review_queue.c.final_key,
    captures.c.fetched_at == review_queue.c.at,
    captures.c.body_file_id.is_not(None),
)
_STORED: Final = ("id", "url_key", "url", "site", "at", "reasons", "failure", "extractor", "title", "confidence")


@dataclass(frozen=True, slots=True)
class InReview:
    """A page that waits for review. `characters` is None if no text was found; `failure` then says why. `capture` is
    the number of its capture in the raw archive, None if that is not kept. `confidence` says how right and whole the
    text probably is; None without a text."""

    id: int
    url_key: str
    url: str
    site: str
    at: datetime
    reasons: tuple[str, ...]
    failure: str | None
    extractor: str | None
    title: str | None
    characters: int | None
    beginning: str | None
    capture: int | None
    confidence: float | None

    @property
    def place(self) -> Place:
        """Its place in the queue."""
        return self.confidence, self.id


def in_review(
    connection: Connection,
    site: str | None = None,
    *,
    keys: Iterable[str] | None = None,
    after: Place | None = None,
    limit: int | None = None,
    by_site: bool = False,
) -> list[InReview]:
    """Returns the pages that wait, the least confident first, of equal ones the newest; with `by_site` those of a site
    together. They are of a site or of all (None), and if `keys` are given, those whose own URL key, or that of the
    address that answered, is among them. They follow the place `after`, and are at most `limit` (None: all)."""
    table = review_queue.c
    query = select(
        *(table[name] for name in _STORED),
        func.length(table.text).label("characters"),
        func.substr(table.text, 1, BEGINNING).label("beginning"),
        select(func.max(captures.c.id)).where(_OWN_CAPTURE).scalar_subquery().label("capture"),
    ).order_by(*([table.site] if by_site else []), table.confidence.asc().nulls_last(), table.id.desc())
    if site is not None:
        query = query.where(table.site == site)
    if after is not None:
        query = query.where(_follows(*after))
    if keys is None:
        rows = list(connection.execute(query.limit(limit)))
    else:
        of_keys = [or_(table.url_key.in_(chunk), table.final_key.in_(chunk)) for chunk in chunks(sorted(set(keys)))]
        found = {row.id: row for wanted in of_keys for row in connection.execute(query.where(wanted))}
        rows = list(found.values())[:limit]
    return [InReview(**row._asdict() | {"reasons": tuple(row.reasons or ())}) for row in rows]


def _follows(confidence: float | None, number: int) -> ColumnElement[bool]:
    """Returns whether a page has a later place."""
    table = review_queue.c
    if confidence is None:
        return and_(table.confidence.is_(None), table.id < number)
    same = and_(table.confidence == confidence, table.id < number)
    return or_(table.confidence > confidence, table.confidence.is_(None), same)
