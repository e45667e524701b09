"""Results of pages that no check of the watchdog has read yet (the table `page_samples`).

A batch appends a sample for each of its pages in its own transaction and reads nothing. A check removes them and adds
them to the baselines, so the table does not grow.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, delete, func, select

from newscrawl.model import ProcessedPage
from newscrawl.monitoring.samples import PageSample, sample_of
from newscrawl.storage.engine.sql import Values, insert_all
from newscrawl.storage.records import GENERIC_SITE, NOT_MODIFIED, Outcome
from newscrawl.storage.tables.operations import page_samples

logger = logging.getLogger(__name__)

MAX_PENDING: Final = 50_000
"""Samples kept while the watchdog is turned off, so that no check removes them."""


@dataclass(frozen=True, slots=True)
class PendingSamples:
    """Samples by site, the oldest first. `number` counts the rows, including damaged ones; `damaged` counts those that
    could not be read."""

    by_site: dict[str, list[PageSample]]
    number: int
    damaged: int


def written(sample: PageSample) -> str:
    """Returns the JSON of a sample, as it waits for a check."""
    return msgspec.json.encode(sample).decode()


def record(connection: Connection, pages: Sequence[ProcessedPage], outcomes: Sequence[Outcome]) -> None:
    """Appends a sample for each page of a batch, except those of `generic`, which is no single site."""
    rows: list[Values] = [
        {
            "site": page.raw.site,
            "sample": written(sample_of(page, is_new=_is_new(outcome), is_refused=outcome.kind == "failed")),
        }
        for page, outcome in zip(pages, outcomes, strict=True)
        if page.raw.site != GENERIC_SITE and page.raw.status != NOT_MODIFIED
    ]
    if rows:
        insert_all(connection, page_samples, rows)
        newest = select(func.max(page_samples.c.id)).scalar_subquery()
        connection.execute(delete(page_samples).where(page_samples.c.id <= newest - MAX_PENDING))


def take(connection: Connection, limit: int) -> PendingSamples:
    """Removes the oldest samples, at most `limit`, and returns them."""
    rows = connection.execute(select(page_samples).order_by(page_samples.c.id).limit(limit)).all()
    if rows:
        connection.execute(delete(page_samples).where(page_samples.c.id <= rows[-1].id))
    return _decoded(rows)


def pending(connection: Connection, site: str) -> PendingSamples:
    """Returns the site's samples that no check has taken yet."""
    query = select(page_samples).where(page_samples.c.site == site).order_by(page_samples.c.id)
    return _decoded(connection.execute(query).all())


def _decoded(rows: Iterable[Row[Any]]) -> PendingSamples:
    by_site: dict[str, list[PageSample]] = {}
    number = damaged = 0
    for row in rows:
        number += 1
        try:
            by_site.setdefault(row.site, []).append(msgspec.json.decode(row.sample, type=PageSample))
        except ValueError as error:  # what msgspec raises for JSON that does not fit
            damaged += 1
            logger.warning("a page sample of %s is damaged and left out: %s", row.site, error)
    return PendingSamples(by_site, number, damaged)


def _is_new(outcome: Outcome) -> bool:
    return outcome.kind in {"inserted", "joined"} or (outcome.kind == "held_for_review" and outcome.first)
