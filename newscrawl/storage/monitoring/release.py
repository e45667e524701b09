"""Releases pages from review: each is stored as if it had been accepted when it was fetched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from operator import add
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, delete, or_, select

from newscrawl.model import Doubt, ProcessedPage, RawPage, UsageRights
from newscrawl.model.identity.signature import signature
from newscrawl.storage.articles.deciding.known import Occasion
from newscrawl.storage.articles.rows import read_article
from newscrawl.storage.engine.batch import keep_refused, store_pages
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.operations import review_queue

BATCH_SIZE: Final = 100
"""Pages released in one transaction."""


@dataclass(frozen=True, slots=True)
class Released:
    """Counts of released pages. `stored` are articles and versions now; `kept` changed nothing, as their pages show a
    better text or the same; `empty` had no text and are fetched again when they are due; `blocked` are on the blocklist
    and were not stored; `refused` could not be stored and became dead letters."""

    stored: int = 0
    kept: int = 0
    empty: int = 0
    blocked: int = 0
    refused: int = 0

    @property
    def pages(self) -> int:
        """The number of all released pages."""
        return sum(astuple(self))

    def __add__(self, other: Released) -> Released:
        return Released(*map(add, astuple(self), astuple(other)))


def waiting(connection: Connection, site: str | None, url_keys: Sequence[str] | None) -> list[int]:
    """Returns the ids of at most `BATCH_SIZE` of the held pages of a site or with one of the URL keys, the oldest
    first."""
    query = select(review_queue.c.id).order_by(review_queue.c.at, review_queue.c.id).limit(BATCH_SIZE)
    if site is not None:
        query = query.where(review_queue.c.site == site)
    if url_keys is not None:
        query = query.where(or_(review_queue.c.url_key.in_(url_keys), review_queue.c.final_key.in_(url_keys)))
    return list(connection.execute(query).scalars())


def release(connection: Connection, numbers: Sequence[int], occasion: Occasion) -> Released:
    """Stores held pages as if they had been accepted when they were fetched. Removes them from the review queue,
    whatever their outcome."""
    rows = _held(connection, numbers)
    texts = [row for row in rows if row.text]
    outcomes = store_pages(connection, [_processed(row) for row in texts], occasion)
    connection.execute(delete(review_queue).where(review_queue.c.id.in_(numbers)))
    kinds = Counter(outcome.kind for outcome in outcomes)
    return Released(
        stored=kinds["inserted"] + kinds["joined"] + kinds["new_version"],
        kept=kinds["unchanged"] + kinds["held_for_review"],
        empty=len(rows) - len(texts),
        blocked=kinds["failed"],  # a page with a text fails only because of the blocklist
    )


def refuse(connection: Connection, number: int, error: Exception, occasion: Occasion) -> Released:
    """Keeps a held page that the database refused as a dead letter, and removes it from the review queue."""
    for row in _held(connection, [number]):
        keep_refused(connection, _processed(row), error, occasion)
    connection.execute(delete(review_queue).where(review_queue.c.id == number))
    return Released(refused=1)


def total(counts: Iterable[Released]) -> Released:
    """Returns the sum of the counts."""
    return sum(counts, Released())


def _held(connection: Connection, numbers: Sequence[int]) -> Sequence[Row[Any]]:
    query = select(review_queue, pages.c.url.label("requested_url"))
    query = query.outerjoin(pages, pages.c.url_key == review_queue.c.url_key).where(review_queue.c.id.in_(numbers))
    return connection.execute(query.order_by(review_queue.c.at, review_queue.c.id)).all()


def _processed(row: Row[Any]) -> ProcessedPage:
    """Returns the page as it was when it was put into review. It has no headers, so the next visit is unconditional."""
    raw = RawPage(row.requested_url or row.url, row.url, row.status, {}, None, row.at, row.site)
    article = read_article(row, row.article)
    article = replace(article, signature=signature(row.text))
    doubt = Doubt(tuple(row.reasons or ()), article, needs_review=False)
    return ProcessedPage(raw, article, use=msgspec.convert(row.usage_rights, UsageRights | None), doubt=doubt)
