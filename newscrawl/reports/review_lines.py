"""The pages that wait for review in parts, the least confident first, each with its capture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from newscrawl.storage.monitoring.review_queue import least_confident_first
from newscrawl.storage.tables.articles import captures
from newscrawl.storage.tables.operations import review_queue


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
    confidence: float | None
    """How right and whole the text probably is; None without a text, and for one stored by an earlier newscrawl."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a page in the order of the queue: after those of lower confidence, and newer ones of the same."""

    confidence: float | None
    id: int

    @classmethod
    def of(cls, line: ReviewLine) -> Place:
        """Returns the place of a page."""
        return cls(line.confidence, line.id)


BEGINNING = 300
"""Characters of a text that are shown."""


def part(connection: Connection, site: str | None, size: int, after: Place | None) -> Sequence[ReviewLine]:
    """Returns the next pages, of a site or of all (None), that follow the place `after`; at most `size`. The least
    confident come first."""
    table = review_queue.c
    own = and_(
        captures.c.url_key == table.final_key, captures.c.fetched_at == table.at, captures.c.body_file_id.is_not(None)
    )
    names = ("id", "url", "site", "at", "reasons", "failure", "extractor", "title", "confidence")
    query = select(
        *(table[name] for name in names),
        func.length(table.text).label("characters"),
        func.substr(table.text, 1, BEGINNING).label("beginning"),
        select(func.max(captures.c.id)).where(own).scalar_subquery().label("capture"),
    ).order_by(*least_confident_first())
    if site is not None:
        query = query.where(table.site == site)
    if after is not None:
        query = query.where(_follows(after))
    rows = connection.execute(query.limit(size))
    return [ReviewLine(**row._asdict() | {"reasons": tuple(row.reasons or ())}) for row in rows]


def _follows(place: Place) -> ColumnElement[bool]:
    """Returns whether a page has a later place."""
    table = review_queue.c
    if place.confidence is None:
        return and_(table.confidence.is_(None), table.id < place.id)
    same = and_(table.confidence == place.confidence, table.id < place.id)
    return or_(table.confidence > place.confidence, table.confidence.is_(None), same)
