"""Releasing what is held back: it is stored as if it had been believed when it was fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, delete, or_, select, update

from newscrawl.identity.signature import signature
from newscrawl.model import (
    Article,
    Attempt,
    Metadata,
    ProcessedPage,
    PublishedDate,
    RawPage,
    RefusedDate,
    UsageRights,
)
from newscrawl.storage import events
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.batch import BatchWriter
from newscrawl.storage.records import Event
from newscrawl.storage.tables.archive import captures
from newscrawl.storage.tables.review import held
from newscrawl.storage.tables.schema import pages

RELEASED: Final = "stored/released"
PART: Final = 100
"""Pages released in one transaction."""


@dataclass(frozen=True, slots=True)
class Released:
    """What became of held pages: `stored` are articles and versions now, `kept` changed nothing (a better text was
    there), `empty` had no text and are asked for again when they are due."""

    stored: int = 0
    kept: int = 0
    empty: int = 0

    @property
    def pages(self) -> int:
        """All of them."""
        return self.stored + self.kept + self.empty

    def __add__(self, other: Released) -> Released:
        return Released(self.stored + other.stored, self.kept + other.kept, self.empty + other.empty)


def release(
    connection: Connection,
    writer: BatchWriter,
    now: datetime,
    *,
    site: str | None = None,
    url_keys: Sequence[str] | None = None,
) -> Released:
    """Stores what was held of a page or site, at most `PART` of it, as if it had been believed when it was fetched."""
    asked = pages.c.url.label("asked")
    query = select(held, asked).outerjoin(pages, pages.c.url_key == held.c.url_key)
    query = query.order_by(held.c.at, held.c.id).limit(PART)
    if site is not None:
        query = query.where(held.c.site == site)
    if url_keys is not None:
        query = query.where(or_(held.c.url_key.in_(url_keys), held.c.final_key.in_(url_keys)))
    rows = connection.execute(query).all()
    texts = [row for row in rows if row.text]
    outcomes = writer.save_within(connection, [_processed(row) for row in texts], now)
    for row, outcome in zip(texts, outcomes, strict=True):
        here = and_(captures.c.url_key == row.final_key, captures.c.fetched_at == row.at)
        values = {"article_id": outcome.article_id, "failure": None}
        if outcome.article_id is not None:
            connection.execute(update(captures).where(here).values(**values))
    for chunk in chunks([row.id for row in rows]):
        connection.execute(delete(held).where(held.c.id.in_(chunk)))
    said = ", ".join
    events.record_all(
        connection,
        [Event(row.url_key, row.url, row.site, now, RELEASED, f"held for: {said(row.reasons or ())}") for row in texts],
    )
    stored = sum(outcome.kind in {"inserted", "joined", "new_version"} for outcome in outcomes)
    return Released(stored, len(texts) - stored, len(rows) - len(texts))


def _processed(row: Row[Any]) -> ProcessedPage:
    """The page as it was when it was held back, without its headers: the next visit asks for it whole."""
    raw = RawPage(row.asked or row.url, row.url, row.status, {}, None, row.at, row.site)
    told = dict(row.article)
    article = Article(
        url=row.url,
        site=row.site,
        metadata=_metadata(told["metadata"]),
        text=row.text,
        extractor=row.extractor,
        verdict=told["verdict"],
        trace=tuple(Attempt(**one) for one in told["trace"]),
        problems=tuple(told["problems"]),
        content_hash=row.content_hash,
        identity_key=row.identity_key,
    )
    article = replace(article, signature=signature(row.text))
    return ProcessedPage(raw, article, use=UsageRights(**row.use) if row.use else None)


def _metadata(told: Mapping[str, Any]) -> Metadata:
    values = {field.name: told[field.name] for field in fields(Metadata) if field.name in told}
    for name in ("published", "modified"):
        values[name] = _date(values[name])
    for name in ("authors", "tags"):
        values[name] = tuple(values[name])
    values["refused_dates"] = tuple(RefusedDate(**one) for one in values["refused_dates"])
    return Metadata(**values)


def _date(told: Mapping[str, Any] | None) -> PublishedDate | None:
    if told is None:
        return None
    return PublishedDate(**{**told, "when": datetime.fromisoformat(told["when"])})
