"""Counts for each site and day (UTC) the requests of never-fetched addresses, and the new articles.

A row is of one day, so a day that a wrong clock has put into the future delays nothing. `name` is the name of the
lease: a site, or `generic` with the domain that was crawled.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from newscrawl.identity import registrable_domain
from newscrawl.scheduling.site_state import SiteDay
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.sql import upsert
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import site_days

NEW_PAGE_LIMIT_REACHED: Final = "politeness/new_page_limit_reached"
"""Why an announced page is not fetched today: the daily limit of never-fetched addresses is reached."""
KEPT: Final = timedelta(days=35)
"""Days of a site that are kept."""
TOLERANCE: Final = timedelta(days=1)
"""A process whose clock is a little ahead starts its day earlier. A day further ahead is an error."""


def count_requests(connection: Connection, numbers: Mapping[str, int], now: datetime) -> None:
    """Adds to the day's number of requested addresses that were never fetched before."""
    _add(connection, "new_pages_requested", numbers, now)


def count_articles(connection: Connection, numbers: Mapping[str, int], now: datetime) -> None:
    """Adds to the day's number of new articles."""
    _add(connection, "new_articles", numbers, now)


def load_site(connection: Connection, name: str) -> list[SiteDay]:
    """Returns the stored days of a site, in order."""
    query = select(site_days).where(site_days.c.name == name).order_by(site_days.c.day)
    return [SiteDay(**row._asdict()) for row in connection.execute(query)]


def tidy(connection: Connection, name: str, now: datetime) -> None:
    """Deletes the site's days that are too old or in the future."""
    today = _today(now)
    wrong = (site_days.c.day < today - KEPT) | (site_days.c.day > today + TOLERANCE)
    connection.execute(delete(site_days).where((site_days.c.name == name) & wrong))


def full(connection: Connection, now: datetime, name: str | None = None) -> dict[str, SiteDay]:
    """Returns today's row of each site (or of the one named) that has reached its limit."""
    query = select(site_days).where(site_days.c.day == _today(now), site_days.c.limit_reached.is_not(None))
    if name is not None:
        query = query.where(site_days.c.name == name)
    return {row.name: SiteDay(**row._asdict()) for row in connection.execute(query)}


def reach(connection: Connection, name: str, bound: int, now: datetime) -> bool:
    """Records that the site has reached today's limit of `bound` addresses. Returns whether that was new."""
    known = name in full(connection, now, name)
    row = _empty(name, _today(now)) | {"limit_reached": bound}
    upsert(connection, site_days, ["name", "day"], [row], {"limit_reached": bound})
    return not known


def name_of(site: str, url: str) -> str:
    """Returns the name under which the days of a page's site are kept."""
    return f"{GENERIC_SITE}:{registrable_domain(url)}" if site == GENERIC_SITE else site


def lift(connection: Connection, name: str, now: datetime) -> None:
    """Removes the record that the site has reached today's limit."""
    is_full = (site_days.c.name == name) & (site_days.c.day == _today(now)) & site_days.c.limit_reached.is_not(None)
    connection.execute(update(site_days).where(is_full).values(limit_reached=None))


def never_fetched(connection: Connection, site: str) -> int:
    """Returns how many announced pages of the site were never fetched."""
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
    return {"name": name, "day": day, "new_pages_requested": 0, "new_articles": 0}
