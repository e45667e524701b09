"""Each site's days (UTC): how many addresses that were never fetched it asked for, and how many new articles came.

A row is of one day, so a day that a wrong clock has put into the future holds up nothing. `name` is a site's, or
`generic` with the domain that was crawled: what the lease is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from newscrawl.identity import registrable_domain
from newscrawl.storage.articles.rows import Values
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.storage.tables.schema import pages, site_days

NEW_PAGES: Final = "politeness/new_pages_spent"
"""Why an announced page is not fetched today: as many as a day may have were asked for."""
KEPT: Final = timedelta(days=35)
"""Days of a site that are remembered."""
TOLERANCE: Final = timedelta(days=1)
"""A process whose clock is a little ahead begins its day earlier; what lies further ahead is a mistake."""


@dataclass(frozen=True, slots=True)
class SiteDay:
    """One day of a site. `bound` is how many addresses it was allowed, where that was reached."""

    name: str
    day: date
    asked: int = 0
    articles: int = 0
    bound: int | None = None


def count_asked(connection: Connection, numbers: Mapping[str, int], now: datetime) -> None:
    """Adds to the addresses of the day that were asked for and never fetched before."""
    _add(connection, "asked", numbers, now)


def count_articles(connection: Connection, numbers: Mapping[str, int], now: datetime) -> None:
    """Adds to the new articles of the day."""
    _add(connection, "articles", numbers, now)


def of_site(connection: Connection, name: str) -> list[SiteDay]:
    """The days of a site that are remembered, in order."""
    query = select(site_days).where(site_days.c.name == name).order_by(site_days.c.day)
    return [SiteDay(**row._asdict()) for row in connection.execute(query)]


def tidy(connection: Connection, name: str, now: datetime) -> None:
    """Takes away the site's days that are too old, and those of the future."""
    today = _today(now)
    wrong = (site_days.c.day < today - KEPT) | (site_days.c.day > today + TOLERANCE)
    connection.execute(delete(site_days).where((site_days.c.name == name) & wrong))


def full(connection: Connection, now: datetime, name: str | None = None) -> dict[str, SiteDay]:
    """Today of each site, or of one, that has asked for as many addresses as it may."""
    query = select(site_days).where(site_days.c.day == _today(now), site_days.c.bound.is_not(None))
    if name is not None:
        query = query.where(site_days.c.name == name)
    return {row.name: SiteDay(**row._asdict()) for row in connection.execute(query)}


def reach(connection: Connection, name: str, bound: int, now: datetime) -> bool:
    """Notes that the site has asked for `bound` addresses today and may ask for no more; whether that was not noted."""
    known = name in full(connection, now, name)
    row = _empty(name, _today(now)) | {"bound": bound}
    upsert(connection, site_days, ["name", "day"], [row], {"bound": bound})
    return not known


def name_of(site: str, url: str) -> str:
    """The name that a page's days are kept under."""
    return f"{GENERIC_SITE}:{registrable_domain(url)}" if site == GENERIC_SITE else site


def lift(connection: Connection, name: str, now: datetime) -> None:
    """The site may ask for more today."""
    is_full = (site_days.c.name == name) & (site_days.c.day == _today(now)) & site_days.c.bound.is_not(None)
    connection.execute(update(site_days).where(is_full).values(bound=None))


def waiting(connection: Connection, site: str) -> int:
    """How many announced pages of the site were never fetched."""
    query = select(func.count()).where(pages.c.site == site, pages.c.state == "found")
    return int(connection.execute(query).scalar_one())


def _add(connection: Connection, column: str, numbers: Mapping[str, int], now: datetime) -> None:
    rows = [_empty(name, _today(now)) | {column: number} for name, number in sorted(numbers.items())]
    upsert(connection, site_days, ["name", "day"], rows, {column: _sum})


def _sum(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return stored + incoming


def _today(now: datetime) -> date:
    return now.astimezone(UTC).date()


def _empty(name: str, day: date) -> Values:
    return {"name": name, "day": day, "asked": 0, "articles": 0}
