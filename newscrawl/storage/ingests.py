"""How far each archive has been ingested: written in the transaction that stores its pages, so that a kill neither
loses nor doubles one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from newscrawl.model import ProcessedPage
from newscrawl.storage.batch import BatchWriter
from newscrawl.storage.records import Outcome
from newscrawl.storage.schema import articles, ingests
from newscrawl.storage.upsert import upsert


@dataclass(frozen=True, slots=True)
class Mark:
    """Part of an input is done: from byte `origin` to record `number` of the gzip member at `reached`."""

    key: str
    origin: int
    reached: int
    number: int


def save(
    connection: Connection, writer: BatchWriter, pages: Sequence[ProcessedPage], mark: Mark, now: datetime
) -> list[Outcome]:
    """Stores the pages and how far their input is done; one outcome a page. A bad page is quarantined alone."""
    outcomes = writer.save_within(connection, pages) if pages else []
    _earliest(connection, pages, outcomes)
    row = {
        "input_key": mark.key,
        "origin": mark.origin,
        "reached": mark.reached,
        "number": mark.number,
        "updated": now,
    }
    upsert(connection, ingests, ["input_key", "origin"], [row])
    return outcomes


def done(connection: Connection, key: str) -> Mapping[int, Mark]:
    """What is done of an input, by origin."""
    rows = connection.execute(select(ingests).where(ingests.c.input_key == key))
    return {row.origin: Mark(key, row.origin, row.reached, row.number) for row in rows}


def forget(connection: Connection, key: str) -> None:
    """Forgets what is done of an input, so that it is ingested again."""
    connection.execute(delete(ingests).where(ingests.c.input_key == key))


def _earliest(connection: Connection, pages: Sequence[ProcessedPage], outcomes: Sequence[Outcome]) -> None:
    """An article has been seen since its earliest capture; archives do not come in order."""
    known = [
        (outcome.article_id, page.raw.fetched_at)
        for page, outcome in zip(pages, outcomes, strict=True)
        if outcome.article_id is not None and page.article is not None and outcome.kind in {"joined", "unchanged"}
    ]
    for article_id, at in known:
        older = update(articles).where(articles.c.id == article_id, articles.c.first_seen > at)
        connection.execute(older.values(first_seen=at))
