"""The numbers of sites by day, added up from their hours: what the small diagrams of 28 days are drawn from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, select

from newscrawl.storage.engine.sql import chunks, distinct_of
from newscrawl.storage.monitoring.site_hours import hour_of
from newscrawl.storage.tables.hours import site_hours

DAYS: Final = 28


@dataclass(frozen=True, slots=True)
class DayNumbers:
    """The numbers of a day (UTC): addresses `found` in sources, and new articles `stored`."""

    day: date
    found: int = 0
    stored: int = 0


@dataclass(frozen=True, slots=True)
class SiteDays:
    """The last days of a site, oldest first, with those without anything. `newest_article` is when the newest article
    of these days was fetched."""

    days: Sequence[DayNumbers]
    newest_article: datetime | None = None

    def with_today(self, today: SiteDays) -> SiteDays:
        """Returns these days with other numbers of the last one; `today` has that day only."""
        newest = max(filter(None, (self.newest_article, today.newest_article)), default=None)
        return SiteDays((*self.days[:-1], *today.days), newest)


def by_site(connection: Connection, sites: Collection[str], now: datetime, number: int = DAYS) -> dict[str, SiteDays]:
    """Returns the last `number` days of each of the sites, today included."""
    today = now.astimezone(UTC).date()
    begin = hour_of(now).replace(hour=0) - timedelta(days=number - 1)
    calendar = [today - timedelta(days=ago) for ago in reversed(range(number))]
    table = site_hours.c
    numbers: dict[str, dict[str, DayNumbers]] = {site: {} for site in sites}
    newest: dict[str, datetime] = {}
    for chunk in chunks(sorted(numbers)):
        query = (
            select(
                table.site,
                func.date(table.hour).label("day"),
                func.sum(table.found).label("found"),
                func.sum(table.stored).label("stored"),
                func.max(table.newest_article).label("newest"),
            )
            .where(table.site.in_(chunk), table.hour >= begin, table.hour <= now)
            .group_by(table.site, func.date(table.hour))
        )
        for row in connection.execute(query):
            key = str(row.day)[:10]
            numbers[row.site][key] = DayNumbers(date.fromisoformat(key), int(row.found), int(row.stored))
            if row.newest is not None:
                newest[row.site] = max(newest.get(row.site, row.newest), row.newest)
    return {site: SiteDays(_filled(calendar, found), newest.get(site)) for site, found in numbers.items()}


def newest_articles(connection: Connection, now: datetime, number: int = DAYS) -> dict[str, datetime]:
    """Returns when the newest article of the last `number` days of each site was fetched. The hours of a site are read
    from the latest back to the first with an article, so sites with new articles cost few rows each."""
    begin = hour_of(now).replace(hour=0) - timedelta(days=number - 1)
    names, table = distinct_of(site_hours.c.site), site_hours.c
    latest = (
        select(table.newest_article)
        .where(table.site == names.c.value, table.hour >= begin, table.newest_article.is_not(None))
        .order_by(table.hour.desc())
        .limit(1)
        .correlate(names)
        .scalar_subquery()
    )
    rows = connection.execute(select(names.c.value, latest.label("newest")).where(names.c.value.is_not(None)))
    return {row.value: row.newest for row in rows if row.newest is not None}


def _filled(calendar: Sequence[date], found: Mapping[str, DayNumbers]) -> tuple[DayNumbers, ...]:
    return tuple(found.get(day.isoformat(), DayNumbers(day)) for day in calendar)
