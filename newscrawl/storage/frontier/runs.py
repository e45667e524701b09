"""Crawls: one row for each crawl of a site, with its times and counters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, select, update

from newscrawl.storage.engine.sql import distinct_of
from newscrawl.storage.tables.operations import runs


@dataclass(frozen=True, slots=True)
class CrawlRun:
    """A crawl. `finished` is None while it runs, and also if it was killed."""

    id: int
    site: str
    started: datetime
    finished: datetime | None
    counters: Mapping[str, int]


KEEP: Final = 500
"""Runs of a site that are kept. `newscrawl run` makes hundreds a day."""
PRUNE_EVERY: Final = 50


def start(connection: Connection, site: str, now: datetime) -> int:
    """Stores the start of a crawl and returns its id. Now and then the oldest runs of the site are deleted."""
    inserted = connection.execute(runs.insert().values(site=site, started=now).returning(runs.c.id))
    number = int(inserted.scalar_one())
    if number % PRUNE_EVERY == 0:
        of_site = select(runs.c.started).where(runs.c.site == site).order_by(runs.c.started.desc())
        oldest = of_site.offset(KEEP - 1).limit(1).scalar_subquery()
        connection.execute(delete(runs).where(runs.c.site == site, runs.c.started < oldest))
    return number


def finish(connection: Connection, run_id: int, now: datetime, counters: Mapping[str, int]) -> None:
    """Stores the end of the crawl with its counters."""
    connection.execute(update(runs).where(runs.c.id == run_id).values(finished=now, counters=dict(counters)))


def last(connection: Connection, site: str) -> CrawlRun | None:
    """Returns the site's latest run."""
    query = select(runs).where(runs.c.site == site).order_by(runs.c.started.desc(), runs.c.id.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return _run(row) if row is not None else None


def last_of_all(connection: Connection) -> dict[str, CrawlRun]:
    """Returns the latest run of every site."""
    names, of_site = distinct_of(runs.c.site), runs.alias()
    newest = select(of_site.c.id).where(of_site.c.site == names.c.value).correlate(names)
    newest = newest.order_by(of_site.c.started.desc(), of_site.c.id.desc()).limit(1)
    query = select(runs).where(runs.c.id.in_(select(newest.scalar_subquery()).select_from(names)))
    return {row.site: _run(row) for row in connection.execute(query)}


def _run(row: Row[Any]) -> CrawlRun:
    return CrawlRun(row.id, row.site, row.started, row.finished, row.counters or {})
