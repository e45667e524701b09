"""What is usual for each site (the table `baselines`): one row a site, with its baselines as JSON.

A damaged baseline affects no other: it is logged and counted, and learned again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, TypeVar

from sqlalchemy import Column, Connection, func, select, update

from newscrawl.monitoring.codec import (
    DamagedRecord,
    decode_extraction,
    decode_volume,
    encode_extraction,
    encode_volume,
)
from newscrawl.monitoring.extraction_baseline import ExtractionBaseline
from newscrawl.monitoring.learning import Learning, learning_of
from newscrawl.monitoring.volume_baseline import VolumeBaseline
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.sql import chunks, upsert
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.tables.frontier import sites
from newscrawl.storage.tables.operations import baselines

logger = logging.getLogger(__name__)

MAX_LEARNING_SIZE: Final = 8_000
"""Characters of a stored volume baseline. One of eight days is smaller, one of five weeks mostly larger, so that
`learning` reads few."""

B = TypeVar("B", VolumeBaseline, ExtractionBaseline)


@dataclass(frozen=True, slots=True)
class Loaded(Generic[B]):
    """Baselines by site, empty for a site without one; `damaged` are the sites whose baseline could not be read."""

    by_site: dict[str, B]
    damaged: frozenset[str]


def load_volumes(connection: Connection, names: Iterable[str]) -> Loaded[VolumeBaseline]:
    """Returns the volume baselines of these sites."""
    return _load(connection, names, baselines.c.volume, decode_volume, VolumeBaseline)


def load_extractions(connection: Connection, names: Iterable[str]) -> Loaded[ExtractionBaseline]:
    """Returns the extraction baselines of these sites."""
    return _load(connection, names, baselines.c.extraction, decode_extraction, ExtractionBaseline)


def due(connection: Connection, now: datetime, limit: int) -> list[str]:
    """Sites whose check is due, the longest overdue first, at most `limit`."""
    query = select(baselines.c.site).where(baselines.c.next_check <= now).order_by(baselines.c.next_check)
    return list(connection.execute(query.limit(limit)).scalars())


def save(
    connection: Connection,
    next_check: datetime,
    volumes: Mapping[str, VolumeBaseline],
    extractions: Mapping[str, ExtractionBaseline],
) -> None:
    """Replaces the stored baselines and sets the time of their sites' next check. The stored extraction baseline of a
    site that is not in `extractions` stays."""
    without: list[Values] = []
    whole: list[Values] = []
    for site, volume in volumes.items():
        row: Values = {"site": site, "next_check": next_check, "volume": encode_volume(volume)}
        if site in extractions:
            whole.append(row | {"extraction": encode_extraction(extractions[site])})
        else:
            without.append(row)
    upsert(connection, baselines, ["site"], without)
    upsert(connection, baselines, ["site"], whole)


def learning(connection: Connection, site: str | None = None) -> dict[str, Learning]:
    """What the watchdog knows of each site, or of one, that it does not judge fully yet."""
    small = func.length(baselines.c.volume) < MAX_LEARNING_SIZE
    query = select(baselines.c.site, baselines.c.volume).where(small, baselines.c.site != FLEET)
    query = query if site is None else query.where(baselines.c.site == site)
    found: dict[str, Learning] = {}
    for row in connection.execute(query):
        with suppress(DamagedRecord):  # the next check logs it, and learns it again
            known = learning_of(decode_volume(row.volume))
            if known is not None:
                found[row.site] = known
    return found


def forget_volume(connection: Connection, site: str) -> None:
    """Resets the site's volume baseline: it is learned again."""
    connection.execute(update(baselines).where(baselines.c.site == site).values(volume=None))


def save_extraction(connection: Connection, site: str, baseline: ExtractionBaseline) -> None:
    """Replaces the extraction baseline of a site that has a row."""
    values = {"extraction": encode_extraction(baseline)}
    connection.execute(update(baselines).where(baselines.c.site == site).values(values))


def last_crawls(connection: Connection, names: Iterable[str]) -> dict[str, datetime]:
    """Returns when the last crawl of each of these sites ended; under FLEET, the last crawl of any site."""
    ended_at: dict[str, datetime] = {}
    for chunk in chunks(sorted(set(names))):
        query = select(sites.c.site, sites.c.last_finished).where(sites.c.site.in_(chunk))
        ended_at |= {row.site: row.last_finished for row in connection.execute(query) if row.last_finished is not None}
    latest = connection.execute(select(func.max(sites.c.last_finished).label("at"))).scalar()
    return ended_at | ({FLEET: latest} if latest is not None else {})


def _load(
    connection: Connection,
    names: Iterable[str],
    column: Column[str],
    decode: Callable[[str], B],
    make: Callable[[], B],
) -> Loaded[B]:
    wanted = sorted(set(names))
    baselines_by_site, damaged = {name: make() for name in wanted}, set()
    for chunk in chunks(wanted):
        query = select(baselines.c.site, column.label("text")).where(baselines.c.site.in_(chunk), column.is_not(None))
        for row in connection.execute(query):
            try:
                baselines_by_site[row.site] = decode(row.text)
            except DamagedRecord as error:
                damaged.add(row.site)
                logger.warning("the %s baseline of %s is damaged and learned again: %s", column.name, row.site, error)
    return Loaded(baselines_by_site, frozenset(damaged))
