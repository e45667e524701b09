"""One row a crawl of a site: when it ran and what it counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from newscrawl.storage.schema import runs


@dataclass(frozen=True, slots=True)
class Run:
    """`finished` is None while it runs, and for ever if it was killed."""

    id: int
    site: str
    started: datetime
    finished: datetime | None
    counters: Mapping[str, int]


def start(connection: Connection, site: str, now: datetime) -> int:
    """Notes that a crawl begins; returns its id."""
    inserted = connection.execute(runs.insert().values(site=site, started=now).returning(runs.c.id))
    return int(inserted.scalar_one())


def finish(connection: Connection, run_id: int, now: datetime, counters: Mapping[str, int]) -> None:
    """Notes that the crawl ended, with its counters."""
    connection.execute(update(runs).where(runs.c.id == run_id).values(finished=now, counters=dict(counters)))


def last(connection: Connection, site: str) -> Run | None:
    """The site's latest run."""
    query = select(runs).where(runs.c.site == site).order_by(runs.c.started.desc(), runs.c.id.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return Run(row.id, row.site, row.started, row.finished, row.counters or {}) if row is not None else None
