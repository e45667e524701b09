"""What was learned of each site (the table `site_models`): its baselines of volume and extraction, and the epochs of
its boilerplate.

A site has one row for each baseline: the JSON that msgspec makes of it. A damaged baseline affects no other: it is
logged and counted, and learned again. An epoch is inserted and deleted, never updated; the one with the greatest number
is current. Crawls, ingests and other commands on all machines read it when they begin. `sites.reextracted` says with
which epoch a machine has extracted its archived pages of a site again (newscrawl.storage.captures.reextractions).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, TypeVar

import msgspec
from sqlalchemy import Connection, Select, and_, delete, func, select, text

from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.extraction.site_boilerplate.epoch import LINE_BYTES
from newscrawl.monitoring.extraction import ExtractionBaseline
from newscrawl.monitoring.volume import Learning, VolumeBaseline, learning_of
from newscrawl.storage.engine.sql import Values, insert, rows_among, upsert
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.tables.frontier import sites
from newscrawl.storage.tables.operations import IS_VOLUME, page_samples, site_models

logger = logging.getLogger(__name__)

MAX_LEARNING_SIZE: Final = 4_000
"""Bytes of a stored volume baseline. One of eight days has at most 192 hours of 13 bytes, one of five weeks mostly
more, so that `learning` reads few."""
MAX_BYTES: Final = 500_000_000
"""Bytes of the lines of all epochs. The oldest epochs that are not current go first; then the current ones of the sites
that were learned longest ago are replaced by empty ones."""

_KEY: Final = ("site", "kind", "epoch")
_MODEL: Final = site_models.c
_IS_EPOCH: Final = _MODEL.kind == "boilerplate"

B = TypeVar("B", VolumeBaseline, ExtractionBaseline)
_KINDS: Final[Mapping[type, str]] = {VolumeBaseline: "volume", ExtractionBaseline: "extraction"}


@dataclass(frozen=True, slots=True)
class Loaded(Generic[B]):
    """Baselines by site, empty for a site without one; `damaged` are the sites whose baseline could not be read."""

    by_site: dict[str, B]
    damaged: frozenset[str]


@dataclass(frozen=True, slots=True)
class EpochNumbers:
    """The numbers of a site's current epoch, without its lines."""

    epoch: int
    lines: int
    stories: int
    learned_at: datetime


def load(connection: Connection, baseline: type[B], names: Iterable[str]) -> Loaded[B]:
    """Returns the baselines of this type of these sites."""
    by_site, damaged = {name: baseline() for name in sorted(set(names))}, set()
    query = select(_MODEL.site, _MODEL.body).where(_MODEL.kind == _KINDS[baseline])
    for row in rows_among(connection, query, _MODEL.site, by_site):
        try:
            by_site[row.site] = msgspec.json.decode(row.body, type=baseline)
        except ValueError as error:  # what msgspec raises for JSON that does not fit
            damaged.add(row.site)
            kind = _KINDS[baseline]
            logger.warning("the %s baseline of %s is damaged and learned again: %s", kind, row.site, error)
    return Loaded(by_site, frozenset(damaged))


def due(connection: Connection, before: datetime, limit: int) -> list[str]:
    """Returns the sites whose baselines were not saved since `before`, the longest waiting first, at most `limit`."""
    query = select(_MODEL.site).where(text(IS_VOLUME), _MODEL.learned_at <= before).order_by(_MODEL.learned_at)
    return list(connection.execute(query.limit(limit)).scalars())


def save(
    connection: Connection,
    now: datetime,
    volumes: Mapping[str, VolumeBaseline],
    extractions: Mapping[str, ExtractionBaseline],
) -> None:
    """Replaces the stored baselines. An empty one is learned again. The stored baselines of sites that are not named
    stay."""
    rows: list[Values] = [
        {"site": site, "kind": _KINDS[type(one)], "epoch": 0, "body": msgspec.json.encode(one), "learned_at": now}
        for baselines in (volumes, extractions)
        for site, one in baselines.items()
    ]
    upsert(connection, site_models, _KEY, rows)


def learning(connection: Connection, site: str | None = None) -> dict[str, Learning]:
    """What the watchdog knows of each site, or of one, that it does not judge fully yet."""
    is_small = func.length(_MODEL.body) < MAX_LEARNING_SIZE
    query = select(_MODEL.site, _MODEL.body).where(text(IS_VOLUME), is_small, _MODEL.site != FLEET)
    query = query if site is None else query.where(_MODEL.site == site)
    found: dict[str, Learning] = {}
    for row in connection.execute(query):
        with suppress(ValueError):  # damaged: the next check logs it, and learns it again
            known = learning_of(msgspec.json.decode(row.body, type=VolumeBaseline))
            if known is not None:
                found[row.site] = known
    return found


def last_crawls(connection: Connection, names: Iterable[str]) -> dict[str, datetime]:
    """Returns when the last crawl of each of these sites ended; under FLEET, the last crawl of any site."""
    query = select(sites.c.site, sites.c.last_finished).where(sites.c.last_finished.is_not(None))
    ended_at = {row.site: row.last_finished for row in rows_among(connection, query, sites.c.site, names)}
    latest = connection.execute(select(func.max(sites.c.last_finished).label("at"))).scalar()
    return ended_at | ({FLEET: latest} if latest is not None else {})


def all_boilerplate(connection: Connection, site: str | None = None) -> dict[str, SiteBoilerplate]:
    """Returns the current epoch of every site that has one, or of one site."""
    rows = connection.execute(_current() if site is None else _current().where(_MODEL.site == site))
    return {row.site: SiteBoilerplate(row.epoch, row.stories, row.body) for row in rows}


def boilerplate(connection: Connection, site: str) -> SiteBoilerplate:
    """Returns the current epoch of a site; epoch 0 if there is none."""
    return all_boilerplate(connection, site).get(site, SiteBoilerplate())


def boilerplate_epoch(connection: Connection, site: str, epoch: int) -> SiteBoilerplate:
    """Returns an epoch by its number; an empty one if it is not stored any more."""
    query = select(_MODEL.stories, _MODEL.body).where(_MODEL.site == site, _IS_EPOCH, _MODEL.epoch == epoch)
    row = connection.execute(query).one_or_none()
    return SiteBoilerplate(epoch, row.stories, row.body) if row is not None else SiteBoilerplate(epoch)


def boilerplate_numbers(connection: Connection, site: str | None = None) -> dict[str, EpochNumbers]:
    """Returns the numbers of the current epoch of every site that has one, or of one site."""
    size = func.length(_MODEL.body).label("size")
    query = _current().with_only_columns(_MODEL.site, _MODEL.epoch, size, _MODEL.stories, _MODEL.learned_at)
    rows = connection.execute(query if site is None else query.where(_MODEL.site == site))
    return {row.site: EpochNumbers(row.epoch, row.size // LINE_BYTES, row.stories, row.learned_at) for row in rows}


def add_boilerplate(connection: Connection, site: str, learned: SiteBoilerplate, now: datetime) -> bool:
    """Stores the epoch after the current one. Returns False if another process has stored that number meanwhile."""
    if learned.epoch != boilerplate(connection, site).epoch + 1:
        return False
    row = {"site": site, "kind": "boilerplate", "epoch": learned.epoch, "stories": learned.stories}
    statement = insert(connection, site_models).values(**row, body=learned.lines, learned_at=now)
    return bool(connection.execute(statement.on_conflict_do_nothing()).rowcount)


def evict_boilerplate(connection: Connection, now: datetime, limit: int = MAX_BYTES) -> int:
    """Removes epochs until their lines have at most `limit` bytes. Returns the number of removed epochs."""
    sizes = select(_MODEL.site, _MODEL.epoch, func.length(_MODEL.body).label("size")).where(_IS_EPOCH)
    rows = connection.execute(sizes.order_by(_MODEL.learned_at, _MODEL.site, _MODEL.epoch)).all()
    excess, removed = sum(row.size for row in rows) - limit, 0
    newest = {row.site: row.epoch for row in sorted(rows, key=lambda row: row.epoch)}
    for row in sorted(rows, key=lambda row: newest[row.site] == row.epoch):  # stable: the oldest first
        if excess <= 0:
            break
        if newest[row.site] == row.epoch:
            if not row.size:
                continue
            add_boilerplate(connection, row.site, SiteBoilerplate(row.epoch + 1), now)
        this = and_(_MODEL.site == row.site, _IS_EPOCH, _MODEL.epoch == row.epoch)
        connection.execute(delete(site_models).where(this))
        excess, removed = excess - row.size, removed + 1
    return removed


def forget(connection: Connection, site: str) -> None:
    """Removes all that was learned of a site, and the samples of its pages that no check has taken yet."""
    for table in (site_models, page_samples):
        connection.execute(delete(table).where(table.c.site == site))


def _current() -> Select[tuple[str, int, int | None, bytes]]:
    newest = select(_MODEL.site, func.max(_MODEL.epoch).label("epoch")).where(_IS_EPOCH)
    of_site = newest.group_by(_MODEL.site).subquery()
    is_newest = and_(of_site.c.site == _MODEL.site, of_site.c.epoch == _MODEL.epoch, _IS_EPOCH)
    return select(_MODEL.site, _MODEL.epoch, _MODEL.stories, _MODEL.body).join(of_site, is_newest)
