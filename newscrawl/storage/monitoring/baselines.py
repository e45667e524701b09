"""What the watchdog needs: what pages came to, and what is usual for each site.

A batch appends a few numbers for each page in its own transaction and reads nothing. The watchdog takes them away and
folds them into one row a site, so neither table grows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, func, select

from newscrawl.model import Article, Failure, ProcessedPage
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.articles.rows import Values
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.records import GENERIC_SITE, Outcome
from newscrawl.storage.tables.schema import baselines, observations, sites

FLEET: Final = "*"
"""The name under which all sites together are watched; no spider can be called so."""
NOT_MODIFIED: Final = 304
MOST_WAITING: Final = 50_000
"""Observations kept where no watchdog takes them away, because it is turned off."""
TIDY_EVERY: Final = 1_000
SHORT_HASH: Final = 8
"""Hexadecimal digits that tell a few hundred texts or pages of a site apart."""
_EXACT: Final = frozenset({"minute", "second"})


@dataclass(frozen=True, slots=True)
class Observation:
    """What one page came to. `is_new` says that it showed its article for the first time; `published` is None where it
    is not known to the minute. `page` and `text` are short hashes; `doubted` says that it was held back or needed
    another extractor than the site's."""

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
    page: str | None = None
    text: str | None = None
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is remembered of a site: texts that newscrawl.monitoring.volume_baseline and watch_pages read and write."""

    site: str
    next_check: datetime
    volume: str | None = None
    base: str | None = None
    recent: str | None = None


def record(connection: Connection, pages: Sequence[ProcessedPage], outcomes: Sequence[Outcome]) -> None:
    """Appends what the pages of a batch came to; `generic` is no site that anything could be usual for."""
    rows = [
        _values(page, outcome)
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
    return [_observation(row) for row in rows]


def waiting(connection: Connection, site: str) -> list[Observation]:
    """The site's observations that nobody has taken in yet, the oldest first."""
    rows = connection.execute(select(observations).where(observations.c.site == site).order_by(observations.c.id))
    return [_observation(row) for row in rows]


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


def observed(page: ProcessedPage, *, is_new: bool = False, failed: bool = False) -> Observation:
    """What a page came to. Where another extractor was tried because the site's looks broken, it is what the site's
    own made of it: that is what is watched."""
    made = page.doubt.first if page.doubt is not None else page.article or page.failure
    failure = made.kind if isinstance(made, Failure) else None
    told = made if isinstance(made, Article) and not failed else None
    if told is None and failure is None:
        failure = "extraction/empty"
    return Observation(
        site=page.raw.site,
        at=page.raw.fetched_at,
        is_new=is_new,
        published=_published(told),
        failure=failure,
        verdict=told.verdict if told else None,
        characters=len(told.text) if told else 0,
        titled=bool(told and told.metadata.title),
        authored=bool(told and told.metadata.authors),
        dated=bool(told and told.metadata.published),
        fell_back=bool(told and told.is_fallback),
        page=blake2b(page.raw.final_url.encode(errors="replace"), digest_size=4).hexdigest(),
        text=told.content_hash[:SHORT_HASH] if told and told.content_hash else None,
        doubted=page.doubt is not None,
    )


def _values(page: ProcessedPage, outcome: Outcome) -> Values:
    is_new = outcome.kind in {"inserted", "joined"} or (outcome.kind == "held" and outcome.first)
    one = observed(page, is_new=is_new, failed=outcome.kind == "failed")
    return {name: getattr(one, name) for name in Observation.__dataclass_fields__}


def _observation(row: Row[Any]) -> Observation:
    return Observation(**{name: getattr(row, name) for name in Observation.__dataclass_fields__})


def _published(article: Article | None) -> datetime | None:
    date = article.metadata.published if article is not None else None
    return date.when if date is not None and date.zone_stated and date.precision in _EXACT else None
