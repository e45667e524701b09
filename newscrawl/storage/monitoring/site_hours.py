"""Numbers of each site by hour: what its crawls found, fetched, stored and lost.

Each transaction of a crawl adds its numbers once for each site, so that readers add up hours and never count pages or
articles. A result without a new text has a reason code; model.group_of says whether it counts as failed, gone, refused
or no article, as in a crawl's last lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, case, delete, func, select

from newscrawl.model import FailureGroup, group_of
from newscrawl.storage.engine.sql import upsert
from newscrawl.storage.tables.hours import NUMBERS, site_hour_failures, site_hours
from newscrawl.times import TOLERANCE

KEPT: Final = timedelta(days=60)
"""How long the numbers are kept."""
TIDIED: Final = 6
"""Hours that one transaction removes."""
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)

COLUMNS: Final[Mapping[FailureGroup, str]] = {
    "failure": "failed",
    "gone": "gone",
    "refused": "refused",
    "no article": "no_article",
    "in review": "in_review",
}
"""The columns in which the groups of reason codes are counted."""
OF_OUTCOMES: Final[Mapping[str, str]] = {
    "inserted": "stored",
    "joined": "duplicates",
    "new_version": "new_versions",
    "held_for_review": "in_review",
}
"""The columns in which outcomes of pages are counted."""


@dataclass(slots=True)
class Numbers:
    """The numbers of one site in one transaction. `kinds` counts results by reason code."""

    counts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    newest_article: datetime | None = None

    def add_failure(self, kind: str) -> None:
        """Counts a result with a reason code, unless the request was not sent."""
        column = COLUMNS.get(group_of(kind))
        if column is not None:
            self.counts[column] += 1
            self.kinds[kind] += 1

    def add_article(self, at: datetime) -> None:
        """Notes when a new article was fetched."""
        self.newest_article = at if self.newest_article is None else max(at, self.newest_article)


@dataclass(frozen=True, slots=True)
class Activity:
    """The numbers of a site since a time. `fetched` counts pages that were answered and read, with those that were
    `not_modified`; `failures` counts results by reason code. `newest_article` is when the newest article of the last
    60 days was fetched."""

    found: int = 0
    fetched: int = 0
    not_modified: int = 0
    stored: int = 0
    duplicates: int = 0
    new_versions: int = 0
    in_review: int = 0
    failed: int = 0
    gone: int = 0
    refused: int = 0
    no_article: int = 0
    newest_article: datetime | None = None
    failures: Mapping[str, int] = field(default_factory=dict)


def add(connection: Connection, numbers: Mapping[str, Numbers], now: datetime) -> None:
    """Adds the numbers of each site to those of the hour of `now`."""
    if not numbers:
        return
    hour = hour_of(now)
    ordered = sorted(numbers.items())
    rows = [
        {"hour": hour, "site": site, "newest_article": one.newest_article}
        | {name: one.counts.get(name, 0) for name in NUMBERS}
        for site, one in ordered
    ]
    upsert(connection, site_hours, ["hour", "site"], rows, _CHANGES)
    kinds = [
        {"hour": hour, "site": site, "kind": kind, "number": number, "day": hour.date()}
        for site, one in ordered
        for kind, number in sorted(one.kinds.items())
    ]
    upsert(connection, site_hour_failures, ["hour", "site", "kind"], kinds, {"number": _sum})


def add_found(connection: Connection, site: str, number: int, now: datetime) -> None:
    """Adds pages that a source announced and that were not known before."""
    if number:
        add(connection, {site: Numbers(Counter(found=number))}, now)


def add_failures(connection: Connection, failed: Iterable[tuple[str, str]], now: datetime) -> None:
    """Adds requests that ended without a page or source, given as (site, reason code)."""
    numbers: dict[str, Numbers] = {}
    for site, kind in failed:
        numbers.setdefault(site, Numbers()).add_failure(kind)
    add(connection, numbers, now)


def since(connection: Connection, begin: datetime, now: datetime) -> dict[str, Activity]:
    """Returns what the crawls of each site did in the hours from that of `begin` to that of `now`. A site that did
    nothing then is there if it has a newest article."""
    newest = _newest(connection)
    during = (site_hours.c.hour >= hour_of(begin), site_hours.c.hour <= hour_of(now))
    sums = [func.sum(site_hours.c[name]).label(name) for name in NUMBERS]
    kinds = _kinds(connection, begin, now)
    found = {
        row.site: Activity(
            **{name: int(getattr(row, name)) for name in NUMBERS},
            newest_article=newest.get(row.site),
            failures=kinds.get(row.site, {}),
        )
        for row in connection.execute(select(site_hours.c.site, *sums).where(*during).group_by(site_hours.c.site))
    }
    return {site: Activity(newest_article=at) for site, at in newest.items()} | found


def last_day(connection: Connection, now: datetime) -> dict[str, Activity]:
    """Returns what the crawls of each site did in the last 24 hours: the current hour and the 23 before it."""
    return since(connection, now - DAY + HOUR, now)


def oldest_hours(connection: Connection, now: datetime, limit: int) -> list[datetime]:
    """Returns hours that are no longer kept, at most `limit`."""
    hours = [
        hour
        for table in (site_hours, site_hour_failures)
        for hour in connection.execute(select(table.c.hour).where(_is_wrong(table, now)).distinct().limit(limit))
        .scalars()
        .all()
    ]
    return sorted(set(hours))[:limit]


def tidy(connection: Connection, now: datetime) -> int:
    """Removes some of the hours that are no longer kept. Returns how many; 0 once none is left."""
    hours = oldest_hours(connection, now, TIDIED)
    for table in (site_hour_failures, site_hours) if hours else ():
        connection.execute(delete(table).where(table.c.hour.in_(hours)))
    return len(hours)


def forget(connection: Connection, site: str) -> None:
    """Removes all numbers of a site."""
    for table in (site_hours, site_hour_failures):
        connection.execute(delete(table).where(table.c.site == site))


def hour_of(moment: datetime) -> datetime:
    """Returns the begin of the moment's hour in UTC."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _is_wrong(table: Any, now: datetime) -> ColumnElement[bool]:
    wrong: ColumnElement[bool] = (table.c.hour < hour_of(now - KEPT)) | (table.c.hour > now + TOLERANCE)
    return wrong


def _newest(connection: Connection) -> dict[str, datetime]:
    newest = func.max(site_hours.c.newest_article).label("newest")
    query = select(site_hours.c.site, newest).where(site_hours.c.newest_article.is_not(None))
    return {row.site: row.newest for row in connection.execute(query.group_by(site_hours.c.site))}


def _kinds(connection: Connection, begin: datetime, now: datetime) -> dict[str, dict[str, int]]:
    table = site_hour_failures
    query = (
        select(table.c.site, table.c.kind, func.sum(table.c.number).label("number"))
        .where(table.c.hour >= hour_of(begin), table.c.hour <= hour_of(now))
        .group_by(table.c.site, table.c.kind)
    )
    kinds: dict[str, dict[str, int]] = {}
    for row in connection.execute(query):
        kinds.setdefault(row.site, {})[row.kind] = int(row.number)
    return kinds


def _sum(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return stored + incoming


def _newer(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    # max() of two values ignores no NULL in SQLite, and PostgreSQL has another name for it.
    return case((stored.is_(None) | (incoming > stored), incoming), else_=stored)


_CHANGES: Final = dict.fromkeys(NUMBERS, _sum) | {"newest_article": _newer}
