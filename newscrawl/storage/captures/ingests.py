"""How far each archive has been ingested: written in the transaction that stores its pages, so that a kill neither
loses nor doubles one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select

from newscrawl.model import ProcessedPage
from newscrawl.storage.duplicates import pending
from newscrawl.storage.engine.batch import BatchWriter
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.records import Outcome
from newscrawl.storage.tables.schema import ingests


@dataclass(frozen=True, slots=True)
class Mark:
    """Part of an input is done: from byte `origin` to record `number` of the gzip member at `reached`.

    `broken` and `future` count the records of the part that could not be read as they should be, and those that were
    refused since they are dated in the future. `changed` is when the file was last changed, in nanoseconds since 1970,
    None for what is no file.
    """

    key: str
    origin: int
    reached: int
    number: int
    broken: int = 0
    future: int = 0
    changed: int | None = None


def save(
    connection: Connection, writer: BatchWriter, pages: Sequence[ProcessedPage], mark: Mark, now: datetime
) -> list[Outcome]:
    """Stores the pages and how far their input is done; one outcome a page. A bad page is quarantined alone."""
    outcomes = writer.save_within(connection, pages, now) if pages else []
    _earliest(connection, pages, outcomes)
    row = {
        "input_key": mark.key,
        "origin": mark.origin,
        "reached": mark.reached,
        "number": mark.number,
        "broken": mark.broken,
        "future": mark.future,
        "changed": mark.changed,
        "updated": now,
    }
    upsert(connection, ingests, ["input_key", "origin"], [row])
    return outcomes


def done(connection: Connection, key: str) -> Mapping[int, Mark]:
    """What is done of an input, by origin."""
    rows = connection.execute(select(ingests).where(ingests.c.input_key == key))
    return {
        row.origin: Mark(key, row.origin, row.reached, row.number, row.broken, row.future, row.changed) for row in rows
    }


def forget(connection: Connection, key: str) -> None:
    """Forgets what is done of an input, so that it is ingested again."""
    connection.execute(delete(ingests).where(ingests.c.input_key == key))


def _earliest(connection: Connection, pages: Sequence[ProcessedPage], outcomes: Sequence[Outcome]) -> None:
    """An article has been seen since its earliest capture; archives do not come in order."""
    times: dict[int, datetime] = {}
    for page, outcome in zip(pages, outcomes, strict=True):
        if outcome.article_id is not None and page.article is not None and outcome.kind in {"joined", "unchanged"}:
            at = page.raw.fetched_at
            times[outcome.article_id] = min(at, times.get(outcome.article_id, at))
    pending.seen_since(connection, times)
