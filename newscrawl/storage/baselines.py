"""What the watchdog needs: what pages came to, and what is usual for each site.

A batch appends a few numbers for each page in its own transaction and reads nothing. The watchdog takes them away and
folds them into one row a site, so neither table grows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, select

from newscrawl.model import Article, ProcessedPage
from newscrawl.storage.lookup import chunks
from newscrawl.storage.records import GENERIC_SITE, Outcome
from newscrawl.storage.rows import Values
from newscrawl.storage.schema import baselines, observations, sites
from newscrawl.storage.upsert import upsert

FLEET: Final = "*"
"""The name under which all sites together are watched; no spider can be called so."""
NOT_MODIFIED: Final = 304
MOST_WAITING: Final = 50_000
"""Observations kept where no watchdog takes them away, because it is turned off."""
TIDY_EVERY: Final = 1_000
_EXACT: Final = frozenset({"minute", "second"})


@dataclass(frozen=True, slots=True)
class Observation:
    """What one page came to. `is_new` says that it showed its article for the first time; `published` is None where it
    is not known to the minute."""

    site: str
    at: datetime
    is_new: bool
    published: datetime | None
    failure: str | None
    verdict: str | None
    characters: int
    titled: bool
    authored: bool
    dated: bool
    fell_back: bool


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is remembered of a site: texts that newscrawl.scheduling.watch_volume and watch_pages read and write."""

    site: str
    next_check: datetime
    volume: str | None = None
    base: str | None = None
    recent: str | None = None


def record(connection: Connection, pages: Sequence[ProcessedPage], outcomes: Sequence[Outcome]) -> None:
    """Appends what the pages of a batch came to; `generic` is no site that anything could be usual for."""
    rows = [
        _observed(page, outcome)
        for page, outcome in zip(pages, outcomes, strict=True)
        if page.raw.site != GENERIC_SITE and page.raw.status != NOT_MODIFIED
    ]
    if rows:
        connection.execute(observations.insert(), rows)
        newest = connection.execute(select(func.max(observations.c.id))).scalar_one()
        if newest % TIDY_EVERY < len(rows):
            connection.execute(delete(observations).where(observations.c.id <= newest - MOST_WAITING))


def take(connection: Connection, limit: int) -> list[Observation]:
    """The oldest observations, at most `limit`, which are then no longer stored."""
    rows = connection.execute(select(observations).order_by(observations.c.id).limit(limit)).all()
    if rows:
        connection.execute(delete(observations).where(observations.c.id <= rows[-1].id))
    return [Observation(**{name: getattr(row, name) for name in Observation.__dataclass_fields__}) for row in rows]


def load(connection: Connection, names: Iterable[str]) -> dict[str, Baseline]:
    """The baselines of these sites, of those that have one."""
    found = {}
    for chunk in chunks(sorted(set(names))):
        for row in connection.execute(select(baselines).where(baselines.c.site.in_(chunk))):
            found[row.site] = Baseline(row.site, row.next_check, row.volume, row.base, row.recent)
    return found


def due(connection: Connection, now: datetime, limit: int) -> list[str]:
    """Sites whose check has come, the longest waiting first."""
    query = select(baselines.c.site).where(baselines.c.next_check <= now).order_by(baselines.c.next_check)
    return list(connection.execute(query.limit(limit)).scalars())


def save(connection: Connection, rows: Collection[Baseline]) -> None:
    """Writes them over what there was."""
    names = tuple(Baseline.__dataclass_fields__)
    values: list[Values] = [{name: getattr(row, name) for name in names} for row in rows]
    upsert(connection, baselines, ["site"], values)


def crawled(connection: Connection, names: Iterable[str]) -> dict[str, datetime]:
    """When the last crawl of each of these sites ended; FLEET is the last of any."""
    found: dict[str, datetime] = {}
    for chunk in chunks(sorted(set(names))):
        query = select(sites.c.site, sites.c.last_finished).where(sites.c.site.in_(chunk))
        found |= {row.site: row.last_finished for row in connection.execute(query) if row.last_finished is not None}
    latest = connection.execute(select(func.max(sites.c.last_finished).label("at"))).scalar()
    return found | ({FLEET: latest} if latest is not None else {})


def _observed(page: ProcessedPage, outcome: Outcome) -> Values:
    article = page.article
    failure = page.failure.kind if page.failure is not None else None
    if article is not None and outcome.kind == "failed":
        failure = "extraction/empty"
    told = article if failure is None else None
    return {
        "site": page.raw.site,
        "at": page.raw.fetched_at,
        "is_new": outcome.kind in {"inserted", "joined"},
        "published": _published(told),
        "failure": failure,
        "verdict": told.verdict if told else None,
        "characters": len(told.text) if told else 0,
        "titled": bool(told and told.metadata.title),
        "authored": bool(told and told.metadata.authors),
        "dated": bool(told and told.metadata.published),
        "fell_back": bool(told and told.trace and told.trace[0].extractor != told.extractor),
    }


def _published(article: Article | None) -> datetime | None:
    date = article.metadata.published if article is not None else None
    return date.when if date is not None and date.zone_stated and date.precision in _EXACT else None
