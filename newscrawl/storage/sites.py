"""What the fleet asks every few seconds: which sites have something due, and what is left of their daily budgets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select

from newscrawl.storage.lookup import chunks
from newscrawl.storage.rows import Values
from newscrawl.storage.schema import leases, pages, sites, sources
from newscrawl.storage.upsert import upsert


@dataclass(frozen=True, slots=True)
class SiteDue:
    """A site with something due. `rate` is how many new entries an hour its busiest due source is expected to have;
    `overdue_since` is when the first of it became due; `requests_today` counts since midnight UTC."""

    site: str
    sources: int = 0
    pages: int = 0
    found: int = 0
    rate: float = 0.0
    overdue_since: datetime | None = None
    last_started: datetime | None = None
    last_finished: datetime | None = None
    requests_today: int = 0
    leased: bool = False


def due(connection: Connection, now: datetime) -> list[SiteDue]:
    """Every site with a source or a page due, or with pages announced and not fetched yet, by name.

    Its cost grows with what is due, not with the sites there are.
    """
    found: dict[str, Values] = {}
    for row in connection.execute(_due_sources(now)):
        found[row.site] = {"sources": row.number, "rate": row.rate or 0.0, "overdue_since": row.since}
    for row in connection.execute(_due_pages(now)):
        of_site = found.setdefault(row.site, {})
        since = of_site.get("overdue_since")
        of_site |= {"pages": row.number, "overdue_since": min(row.since, since) if since else row.since}
    announced = select(pages.c.site, func.count().label("number")).where(pages.c.state == "found")
    for row in connection.execute(announced.group_by(pages.c.site)):
        found.setdefault(row.site, {})["found"] = row.number
    _add_history(connection, found, now)
    return [SiteDue(site, **values) for site, values in sorted(found.items())]


def history(connection: Connection, names: Iterable[str], now: datetime) -> list[SiteDue]:
    """The same of sites that have nothing due: those with a rhythm of their own (cron, interval), or never crawled."""
    found: dict[str, Values] = {name: {} for name in names}
    _add_history(connection, found, now)
    return [SiteDue(site, **values) for site, values in sorted(found.items())]


def note_start(connection: Connection, site: str, now: datetime) -> None:
    """A crawl of the site begins."""
    upsert(connection, sites, ["site"], [_empty(site) | {"last_started": now}], {"last_started": now})


def note_finish(connection: Connection, site: str, now: datetime) -> None:
    """A crawl of the site ended."""
    upsert(connection, sites, ["site"], [_empty(site) | {"last_finished": now}], {"last_finished": now})


def count_requests(connection: Connection, site: str, number: int, now: datetime) -> int:
    """Adds to the requests of the day (UTC) and returns them; a day that `now` lies before is not begun again."""
    today = now.astimezone(UTC).date()
    stored_day, stored = sites.c.day, sites.c.requests_today
    newer = (stored_day.is_(None)) | (stored_day < today)
    changes: dict[str, Any] = {
        "day": case((newer, today), else_=stored_day),
        "requests_today": case((newer, number), else_=stored + number),
    }
    row = _empty(site) | {"day": today, "requests_today": number}
    (back,) = upsert(connection, sites, ["site"], [row], changes, [sites.c.requests_today])
    return int(back.requests_today)


def note_over_budget(connection: Connection, site: str) -> None:
    """Counts that something due was left because the day's budget was spent."""
    once = {"over_budget": lambda stored, _incoming: stored + 1}
    upsert(connection, sites, ["site"], [_empty(site) | {"over_budget": 1}], once)


def _empty(site: str) -> Values:
    return {"site": site, "requests_today": 0, "over_budget": 0}


def _due_sources(now: datetime) -> Any:
    number, rate = func.count().label("number"), func.max(sources.c.rate).label("rate")
    since = func.min(sources.c.next_due).label("since")
    return select(sources.c.site, number, rate, since).where(sources.c.next_due <= now).group_by(sources.c.site)


def _due_pages(now: datetime) -> Any:
    number, since = func.count().label("number"), func.min(pages.c.next_due).label("since")
    is_due: ColumnElement[bool] = (pages.c.next_due <= now) & pages.c.state.in_(["fetched", "failed"])
    return select(pages.c.site, number, since).where(is_due).group_by(pages.c.site)


def _add_history(connection: Connection, found: dict[str, Values], now: datetime) -> None:
    today = now.astimezone(UTC).date()
    for chunk in chunks(sorted(found)):
        for row in connection.execute(select(sites).where(sites.c.site.in_(chunk))):
            requests = row.requests_today if row.day is not None and row.day >= today else 0
            history = {"last_started": row.last_started, "last_finished": row.last_finished}
            found[row.site] |= {"requests_today": requests, **history}
    for site in connection.execute(select(leases.c.site).where(leases.c.expires > now)).scalars():
        if site in found:
            found[site]["leased"] = True
