"""Numbers of each site by hour (the table `site_hours`): what its crawls found, fetched, stored and lost, and how many
never-fetched addresses were requested.

Each transaction of a crawl adds its numbers once (`Tally`), so that readers add up hours and never count pages or
articles. A result without a new text has a reason code; model.group_of says whether it counts as failed, gone, refused
or no article, as in a crawl's last lines.

The limit of never-fetched addresses a day (crawls.new_page_limit) is made of days (UTC). Their numbers are kept under
the name of a crawl's lease: a site, or `generic` with the domain that was crawled.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, timedelta
from operator import add
from typing import Final

from sqlalchemy import ColumnElement, Connection, case, delete, func, or_, select, update

from newscrawl.crawling.scheduling.announced_edits import most_a_day
from newscrawl.crawling.scheduling.site_state import SiteDay
from newscrawl.model import FailureGroup, group_of
from newscrawl.model.times import TOLERANCE
from newscrawl.storage.engine.sql import Values, distinct, incoming, later, rows_among, upsert
from newscrawl.storage.tables.frontier import BROUGHT, LIMIT, OF_DAYS, site_hours, sites

KEPT: Final = timedelta(days=60)
"""How long the numbers are kept."""
KEPT_DAYS: Final = timedelta(days=35)
"""How far back the days of the limit of new addresses are read."""
TIDIED: Final = 2
"""Hours that one transaction removes: some thousand rows with a thousand sites."""
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
SHOWN_DAYS: Final = 28
"""Days of the small diagrams."""

COLUMNS: Final[Mapping[FailureGroup, str]] = {
    "failure": "failed",
    "gone": "gone",
    "refused": "refused",
    "no article": "no_article",
    "in review": "in_review",
}
"""The kinds of numbers in which the groups of reason codes are counted."""
OF_OUTCOMES: Final[Mapping[str, str]] = {
    "inserted": "stored",
    "joined": "duplicates",
    "new_version": "new_versions",
    "held_for_review": "in_review",
}
"""The kinds of numbers in which outcomes of pages are counted."""


@dataclass(slots=True)
class Tally:
    """The numbers of one transaction by site, hour and kind, and when the newest article of each site was fetched."""

    counts: Counter[tuple[str, datetime, str]] = field(default_factory=Counter)
    newest: dict[str, datetime] = field(default_factory=dict)

    def count(self, site: str, at: datetime, kind: str, number: int = 1) -> None:
        """Adds to one of `NUMBERS`, or to one of `OF_DAYS`, in the hour of `at`."""
        self.counts[site, hour_of(at), kind] += number

    def failure(self, site: str, at: datetime, code: str) -> None:
        """Counts a result with a reason code, unless the request was not sent."""
        group = COLUMNS.get(group_of(code))
        if group is not None:
            self.count(site, at, group)
            self.count(site, at, code)

    def article(self, site: str, at: datetime) -> None:
        """Notes when a new article was fetched."""
        self.newest[site] = max(at, self.newest.get(site, at))

    def write(self, connection: Connection) -> None:
        """Adds the numbers to those that are stored. Rows are written in one order, so that two transactions never wait
        for each other."""
        rows: list[Values] = [
            {"site": site, "hour": hour, "kind": kind, "number": number}
            for (site, hour, kind), number in sorted(self.counts.items())
            if number
        ]
        upsert(connection, site_hours, ["site", "hour", "kind"], rows, {"number": add})
        newest: list[Values] = [{"site": site, "newest_article": at} for site, at in sorted(self.newest.items())]
        upsert(connection, sites, ["site"], newest, {"newest_article": later})


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a site in a time. `fetched` counts pages that were answered and read, with those that were
    `not_modified`. `newest_article` is when the newest article of this time was fetched. `failures` counts by reason
    code the results that `failed` counts; `other_results` those that are gone, refused, no article or in review. The
    most frequent codes come first."""

    found: int
    fetched: int
    not_modified: int
    stored: int
    duplicates: int
    new_versions: int
    in_review: int
    failed: int
    gone: int
    refused: int
    no_article: int
    newest_article: datetime | None
    failures: Mapping[str, int]
    other_results: Mapping[str, int]

    @property
    def codes(self) -> Mapping[str, int]:
        """All results with a reason code, by code."""
        return dict(sorted({**self.failures, **self.other_results}.items()))


NUMBERS: Final = tuple(one.name for one in fields(Numbers) if one.type == "int")
"""The kinds of numbers that tell what a crawl did."""
_ZEROS: Final = dict.fromkeys(NUMBERS, 0)
NOTHING: Final = Numbers(**_ZEROS, newest_article=None, failures={}, other_results={})


@dataclass(frozen=True, slots=True)
class DayNumbers:
    """The numbers of a day (UTC): addresses `found` in sources, and new articles `stored`."""

    day: date
    found: int = 0
    stored: int = 0


def last_day(connection: Connection, now: datetime, site: str | None = None) -> dict[str, Numbers]:
    """Returns what the crawls of each site that did something, or of one, did in the last 24 hours: the current hour
    and the 23 before it."""
    table, begin = site_hours.c, begin_of_last_day(now)
    during = [table.hour >= begin, table.hour <= hour_of(now)]
    articles = select(sites.c.site, sites.c.newest_article).where(sites.c.newest_article >= begin)
    if site is not None:
        during.append(table.site == site)
        articles = articles.where(sites.c.site == site)
    newest = {row.site: row.newest_article for row in connection.execute(articles)}
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    codes: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    query = select(table.site, table.kind, func.sum(table.number).label("number")).where(*during)
    for name, kind, number in connection.execute(query.group_by(table.site, table.kind)):
        if kind in _ZEROS:
            counts[name][kind] = int(number)
        elif "/" in kind:
            codes[name].append((kind, int(number)))
    return {name: _numbers(numbers, newest.get(name), codes.get(name, [])) for name, numbers in counts.items()}


def _numbers(numbers: dict[str, int], newest: datetime | None, codes: list[tuple[str, int]]) -> Numbers:
    codes.sort(key=lambda pair: (-pair[1], pair[0]))
    failures = {kind: number for kind, number in codes if group_of(kind) == "failure"}
    others = {kind: number for kind, number in codes if kind not in failures}
    return Numbers(**_ZEROS | numbers, newest_article=newest, failures=failures, other_results=others)


def newest_articles(connection: Connection) -> dict[str, datetime]:
    """Returns when the newest article of each site, of the last 60 days, was fetched."""
    query = select(sites.c.site, sites.c.newest_article).where(sites.c.newest_article.is_not(None))
    return {row.site: row.newest_article for row in connection.execute(query)}


def begin_of_last_day(now: datetime) -> datetime:
    """Returns the first of the 24 hours that end with that of `now`."""
    return hour_of(now) - DAY + HOUR


def site_names(connection: Connection) -> list[str]:
    """Returns the sites with a counted hour."""
    return [name for name in distinct(connection, site_hours.c.site) if ":" not in name]


def by_day(
    connection: Connection, names: Collection[str], now: datetime, number: int = SHOWN_DAYS
) -> dict[str, Sequence[DayNumbers]]:
    """Returns the last `number` days of each of the sites, today included: the oldest first, with those without
    anything."""
    begin = _first_hour(now, number)
    calendar = [begin.date() + ago * DAY for ago in range(number)]
    table, day = site_hours.c, func.date(site_hours.c.hour)
    sums: dict[str, dict[str, dict[str, int]]] = {name: {} for name in names}
    query = (
        select(table.site, day.label("day"), table.kind, func.sum(table.number).label("number"))
        .where(table.hour >= begin, table.hour <= now, table.kind.in_(("found", "stored")))
        .group_by(table.site, day, table.kind)
    )
    for row in rows_among(connection, query, table.site, sums):
        sums[row.site].setdefault(str(row.day)[:10], {})[row.kind] = int(row.number)
    return {name: [DayNumbers(one, **days.get(one.isoformat(), {})) for one in calendar] for name, days in sums.items()}


def begin_of_shown_days(now: datetime) -> datetime:
    """Returns the first hour of the last `SHOWN_DAYS` days."""
    return _first_hour(now, SHOWN_DAYS)


def stored_in(connection: Connection, hours: Collection[datetime]) -> dict[datetime, int]:
    """Returns how many new articles all sites stored in each of the hours in which something was counted."""
    table = site_hours.c
    stored = func.sum(case((table.kind == "stored", table.number), else_=0))
    query = select(table.hour, stored.label("number")).where(table.hour.in_(hours)).group_by(table.hour)
    return {row.hour: int(row.number) for row in connection.execute(query)}


def earlier_visits_left(connection: Connection, names: Collection[str], now: datetime) -> dict[str, int]:
    """Returns how many visits of each site may still be brought forward in these 24 hours because sources announce
    edits."""
    table = site_hours.c
    during = (table.hour >= begin_of_last_day(now), table.hour <= hour_of(now))
    query = select(table.site, table.kind, func.sum(table.number).label("number")).group_by(table.site, table.kind)
    counted = query.where(table.kind.in_(("fetched", BROUGHT)), *during)
    sums = {(row.site, row.kind): int(row.number) for row in rows_among(connection, counted, table.site, names)}
    return {name: most_a_day(sums.get((name, "fetched"), 0)) - sums.get((name, BROUGHT), 0) for name in names}


def days_of(connection: Connection, name: str, now: datetime) -> list[SiteDay]:
    """Returns the days of a lease's name, in order, up to that of `now`: a day that a wrong clock has put into the
    future delays nothing."""
    return _days(connection, hour_of(now).replace(hour=0) - KEPT_DAYS, now, site_hours.c.site == name)


def full(connection: Connection, now: datetime, name: str | None = None) -> dict[str, SiteDay]:
    """Returns today's numbers of each name (or of the one given) that has reached its limit."""
    reached = select(site_hours.c.site).where(_is_limit_of(now))
    if name is not None:
        reached = reached.where(site_hours.c.site == name)
    names = connection.execute(reached).scalars().all()
    today = hour_of(now).replace(hour=0)
    return {row.name: row for row in _days(connection, today, now, site_hours.c.site.in_(names))} if names else {}


def reach(connection: Connection, name: str, bound: int, now: datetime) -> bool:
    """Records that today's limit of `bound` addresses is reached. Returns whether that was new."""
    known = name in full(connection, now, name)
    row: Values = {"site": name, "hour": hour_of(now).replace(hour=0), "kind": LIMIT, "number": bound}
    upsert(connection, site_hours, ["site", "hour", "kind"], [row], {"number": incoming})
    return not known


def lift(connection: Connection, name: str, now: datetime) -> None:
    """Removes the record that today's limit is reached."""
    connection.execute(delete(site_hours).where(site_hours.c.site == name, _is_limit_of(now)))


def oldest_hours(connection: Connection, now: datetime, limit: int) -> list[datetime]:
    """Returns hours that are no longer kept, at most `limit`."""
    hour = site_hours.c.hour
    # Two queries: with one condition for both ends a database reads the whole index.
    ends = (hour < hour_of(now - KEPT), hour > now + TOLERANCE)
    queries = [select(hour).where(end).distinct().order_by(hour).limit(limit) for end in ends]
    return [found for query in queries for found in connection.execute(query).scalars()][:limit]


def tidy(connection: Connection, now: datetime) -> int:
    """Removes some of the hours that are no longer kept. Returns how many; 0 once none is left. A newest article that
    is as old, or of the future, is no longer known."""
    article = sites.c.newest_article
    wrong = or_(article < now - KEPT, article > now + TOLERANCE)
    connection.execute(update(sites).where(wrong).values(newest_article=None))
    hours = oldest_hours(connection, now, TIDIED)
    if hours:
        connection.execute(delete(site_hours).where(site_hours.c.hour.in_(hours)))
    return len(hours)


def forget(connection: Connection, site: str) -> None:
    """Removes all numbers of a site."""
    connection.execute(delete(site_hours).where(site_hours.c.site == site))
    connection.execute(update(sites).where(sites.c.site == site).values(newest_article=None))


def hour_of(moment: datetime) -> datetime:
    """Returns the begin of the moment's hour in UTC."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _days(connection: Connection, begin: datetime, now: datetime, chosen: ColumnElement[bool]) -> list[SiteDay]:
    """Returns the days with numbers of `OF_DAYS`, by name and day, from `begin` to the end of today."""
    table, day = site_hours.c, func.date(site_hours.c.hour)
    end = hour_of(now).replace(hour=0) + DAY
    query = (
        select(table.site, day.label("day"), table.kind, func.sum(table.number).label("number"))
        .where(chosen, table.hour >= begin, table.hour < end, table.kind.in_(OF_DAYS))
        .group_by(table.site, day, table.kind)
    )
    found: dict[tuple[str, str], dict[str, int]] = {}
    for row in connection.execute(query):
        found.setdefault((row.site, str(row.day)[:10]), {})[row.kind] = int(row.number)
    return [SiteDay(name, date.fromisoformat(day), **counts) for (name, day), counts in sorted(found.items())]


def _is_limit_of(now: datetime) -> ColumnElement[bool]:
    return (site_hours.c.hour == hour_of(now).replace(hour=0)) & (site_hours.c.kind == LIMIT)


def _first_hour(now: datetime, days: int) -> datetime:
    return hour_of(now).replace(hour=0) - (days - 1) * DAY
