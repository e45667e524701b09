"""Reads for the fleet which sites have something due, and what is left of their daily budgets."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, case, func, literal_column, select

from newscrawl.scheduling.site_state import SiteDue
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.monitoring import hours
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import leases, sites, sources

MAX_ROWS: Final = 20_000
"""Due sources, and due pages, that one tick reads, the longest waiting first. After days without a crawl everything is
due, and a tick must not take seconds."""


def due(connection: Connection, now: datetime, *, leave_out: Collection[str] = ()) -> list[SiteDue]:
    """Returns every site with a due source or page, or with announced pages that were not fetched yet, by name.

    Its cost grows with the number of due rows, up to `MAX_ROWS`, not with the number of sites. Sites that nobody
    crawls belong in `leave_out`, or their due rows would fill the limit.
    """
    by_site: dict[str, Values] = {}
    for row in connection.execute(_due_sources(now, leave_out)):
        by_site[row.site] = {"sources": row.number, "rate": row.rate or 0.0, "overdue_since": row.since}
    for row in connection.execute(_due_pages(now, leave_out)):
        of_site = by_site.setdefault(row.site, {})
        since = of_site.get("overdue_since")
        of_site |= {"pages": row.number, "overdue_since": min(row.since, since) if since else row.since}
    for row in connection.execute(_announced()):
        if row.site in leave_out:
            continue
        by_site.setdefault(row.site, {})["found"] = row.number
    _add_history(connection, by_site, now)
    return [SiteDue(site, **values) for site, values in sorted(by_site.items())]


def history(connection: Connection, names: Iterable[str], now: datetime) -> list[SiteDue]:
    """Returns the same for sites without due rows: those with their own timetable, or never crawled."""
    by_site: dict[str, Values] = {name: {} for name in names}
    _add_history(connection, by_site, now)
    return [SiteDue(site, **values) for site, values in sorted(by_site.items())]


def note_start(connection: Connection, site: str, now: datetime) -> None:
    """Records that a crawl of the site begins."""
    upsert(connection, sites, ["site"], [_empty(site) | {"last_started": now}], {"last_started": now})


def note_finish(connection: Connection, site: str, now: datetime) -> None:
    """Records that a crawl of the site ended."""
    upsert(connection, sites, ["site"], [_empty(site) | {"last_finished": now}], {"last_finished": now})


def count_requests(connection: Connection, site: str, number: int, now: datetime) -> int:
    """Adds to the requests of the day (UTC) and returns their number. A clock that is set back by less than a day
    starts no new day. A stored day further ahead was written by a wrong clock and is ignored."""
    today = now.astimezone(UTC).date()
    stored_day, stored = sites.c.day, sites.c.requests_today
    newer = stored_day.is_(None) | (stored_day < today) | (stored_day > today + hours.DAY)
    changes: dict[str, Any] = {
        "day": case((newer, today), else_=stored_day),
        "requests_today": case((newer, number), else_=stored + number),
    }
    row = _empty(site) | {"day": today, "requests_today": number}
    (back,) = upsert(connection, sites, ["site"], [row], changes, [sites.c.requests_today])
    return int(back.requests_today)


def note_over_budget(connection: Connection, site: str) -> None:
    """Counts that due work was left because the day's budget was used up."""
    once = {"over_budget_count": lambda stored, _incoming: stored + 1}
    upsert(connection, sites, ["site"], [_empty(site) | {"over_budget_count": 1}], once)


def _empty(site: str) -> Values:
    return {"site": site, "requests_today": 0, "over_budget_count": 0}


def next_due(connection: Connection, names: Iterable[str]) -> dict[str, datetime]:
    """Returns when the next source of each site is due."""
    first_due: dict[str, datetime] = {}
    first = func.min(sources.c.next_due).label("first")
    for chunk in chunks(sorted(names)):
        for row in connection.execute(
            select(sources.c.site, first).where(sources.c.site.in_(chunk)).group_by(sources.c.site)
        ):
            if row.first is not None:
                first_due[row.site] = row.first
    return first_due


def _due_sources(now: datetime, leave_out: Collection[str]) -> Any:
    due = select(sources.c.site, sources.c.arrival_rate, sources.c.next_due).where(sources.c.next_due <= now)
    if leave_out:
        due = due.where(sources.c.site.not_in(leave_out))
    first = due.order_by(sources.c.next_due).limit(MAX_ROWS).subquery()
    number, rate = func.count().label("number"), func.max(first.c.arrival_rate).label("rate")
    return select(first.c.site, number, rate, func.min(first.c.next_due).label("since")).group_by(first.c.site)


def _due_pages(now: datetime, leave_out: Collection[str]) -> Any:
    is_due: ColumnElement[bool] = (pages.c.next_due <= now) & pages.c.state.in_(["fetched", "failed"])
    due = select(pages.c.site, pages.c.next_due).where(is_due)
    if leave_out:
        due = due.where(pages.c.site.not_in(leave_out))
    first = due.order_by(pages.c.next_due).limit(MAX_ROWS).subquery()
    number, since = func.count().label("number"), func.min(first.c.next_due).label("since")
    return select(first.c.site, number, since).group_by(first.c.site)


def _announced() -> Any:
    # An expression, because no index is sorted by it: to save sorting a few rows SQLite would walk a whole one.
    site = pages.c.site.op("||")(literal_column("''"))
    # Written out, not bound: a planner does not know that a parameter has the value of the partial index.
    is_found = pages.c.state == literal_column("'found'")
    return select(site.label("site"), func.count().label("number")).where(is_found).group_by(site)


def _add_history(connection: Connection, by_site: dict[str, Values], now: datetime) -> None:
    today = now.astimezone(UTC).date()
    for chunk in chunks(sorted(by_site)):
        for row in connection.execute(select(sites).where(sites.c.site.in_(chunk))):
            is_today = row.day is not None and today <= row.day <= today + hours.DAY
            requests = row.requests_today if is_today else 0
            history = {"last_started": row.last_started, "last_finished": row.last_finished}
            by_site[row.site] |= {"requests_today": requests, **history}
    for site, of_today in hours.full(connection, now).items():
        if site in by_site:
            by_site[site]["bound_reached"] = of_today.limit_reached
    for site in connection.execute(select(leases.c.site).where(leases.c.expires > now)).scalars():
        if site in by_site:
            by_site[site]["leased"] = True
