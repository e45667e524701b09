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
from newscrawl.storage.frontier import site_days
from newscrawl.storage.tables.schema import leases, pages, sites, sources

MOST_ROWS: Final = 20_000
"""Due sources, and due pages, that a tick looks at, the longest waiting first: after days without a crawl everything is
due, and a tick must not take seconds to say so."""


def due(connection: Connection, now: datetime, *, leave_out: Collection[str] = ()) -> list[SiteDue]:
    """Every site with a source or a page due, or with pages announced and not fetched yet, by name.

    Its cost grows with what is due, not with the sites there are, and no further than `MOST_ROWS`. Sites that nobody
    crawls belong into `leave_out`, or what of them is due would fill those rows in the end.
    """
    found: dict[str, Values] = {}
    for row in connection.execute(_due_sources(now, leave_out)):
        found[row.site] = {"sources": row.number, "rate": row.rate or 0.0, "overdue_since": row.since}
    for row in connection.execute(_due_pages(now, leave_out)):
        of_site = found.setdefault(row.site, {})
        since = of_site.get("overdue_since")
        of_site |= {"pages": row.number, "overdue_since": min(row.since, since) if since else row.since}
    for row in connection.execute(_announced()):
        if row.site in leave_out:
            continue
        found.setdefault(row.site, {})["found"] = row.number
    _add_history(connection, found, now)
    return [SiteDue(site, **values) for site, values in sorted(found.items())]


def history(connection: Connection, names: Iterable[str], now: datetime) -> list[SiteDue]:
    """The same of sites that have nothing due: those with a rhythm of their own (cron, interval), or never crawled."""
    found: dict[str, Values] = {name: {} for name in names}
    _add_history(connection, found, now)
    return [SiteDue(site, **values) for site, values in sorted(found.items())]


def note_start(connection: Connection, site: str, now: datetime) -> None:
    """Notes that a crawl of the site begins."""
    upsert(connection, sites, ["site"], [_empty(site) | {"last_started": now}], {"last_started": now})


def note_finish(connection: Connection, site: str, now: datetime) -> None:
    """Notes that a crawl of the site ended."""
    upsert(connection, sites, ["site"], [_empty(site) | {"last_finished": now}], {"last_finished": now})


def count_requests(connection: Connection, site: str, number: int, now: datetime) -> int:
    """Adds to the requests of the day (UTC) and returns them. A clock set back by less than a day begins no day again;
    a stored day further ahead is of a clock that was wrong."""
    today = now.astimezone(UTC).date()
    stored_day, stored = sites.c.day, sites.c.requests_today
    newer = stored_day.is_(None) | (stored_day < today) | (stored_day > today + site_days.TOLERANCE)
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
    """When the next source of each of the sites is due."""
    found: dict[str, datetime] = {}
    first = func.min(sources.c.next_due).label("first")
    for chunk in chunks(sorted(names)):
        for row in connection.execute(
            select(sources.c.site, first).where(sources.c.site.in_(chunk)).group_by(sources.c.site)
        ):
            if row.first is not None:
                found[row.site] = row.first
    return found


def _due_sources(now: datetime, leave_out: Collection[str]) -> Any:
    due = select(sources.c.site, sources.c.arrival_rate, sources.c.next_due).where(sources.c.next_due <= now)
    if leave_out:
        due = due.where(sources.c.site.not_in(leave_out))
    first = due.order_by(sources.c.next_due).limit(MOST_ROWS).subquery()
    number, rate = func.count().label("number"), func.max(first.c.arrival_rate).label("rate")
    return select(first.c.site, number, rate, func.min(first.c.next_due).label("since")).group_by(first.c.site)


def _due_pages(now: datetime, leave_out: Collection[str]) -> Any:
    is_due: ColumnElement[bool] = (pages.c.next_due <= now) & pages.c.state.in_(["fetched", "failed"])
    due = select(pages.c.site, pages.c.next_due).where(is_due)
    if leave_out:
        due = due.where(pages.c.site.not_in(leave_out))
    first = due.order_by(pages.c.next_due).limit(MOST_ROWS).subquery()
    number, since = func.count().label("number"), func.min(first.c.next_due).label("since")
    return select(first.c.site, number, since).group_by(first.c.site)


def _announced() -> Any:
    # An expression, because no index is sorted by it: to save sorting a few rows SQLite would walk a whole one.
    site = pages.c.site.op("||")(literal_column("''"))
    # Written out, not bound: a planner does not know that a parameter has the value of the partial index.
    is_found = pages.c.state == literal_column("'found'")
    return select(site.label("site"), func.count().label("number")).where(is_found).group_by(site)


def _add_history(connection: Connection, found: dict[str, Values], now: datetime) -> None:
    today = now.astimezone(UTC).date()
    for chunk in chunks(sorted(found)):
        for row in connection.execute(select(sites).where(sites.c.site.in_(chunk))):
            is_today = row.day is not None and today <= row.day <= today + site_days.TOLERANCE
            requests = row.requests_today if is_today else 0
            history = {"last_started": row.last_started, "last_finished": row.last_finished}
            found[row.site] |= {"requests_today": requests, **history}
    for site, of_today in site_days.full(connection, now).items():
        if site in found:
            found[site]["bound_reached"] = of_today.limit_reached
    for site in connection.execute(select(leases.c.site).where(leases.c.expires > now)).scalars():
        if site in found:
            found[site]["leased"] = True
