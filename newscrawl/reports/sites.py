"""The sites: what each does and what is wrong with it, in which orders they are listed, and their totals.

A list of sites is made of few rows of each table, none of pages or articles. Only `totals` counts pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, Final, Literal

from sqlalchemy import Connection, Row, func, select, text

from newscrawl.crawling.scheduling.site_state import SiteControl
from newscrawl.errors import UsageError
from newscrawl.model import group_of
from newscrawl.storage.engine.sql import distinct, distinct_of
from newscrawl.storage.frontier.sites import IS_DECIDED, WAS_CRAWLED
from newscrawl.storage.monitoring import alarms, hours, review_queue
from newscrawl.storage.monitoring.alarms import FLEET, Alarm, of_row, with_deliveries
from newscrawl.storage.monitoring.hours import NOTHING, DayNumbers, Numbers
from newscrawl.storage.tables import operations
from newscrawl.storage.tables.articles import pages, versions
from newscrawl.storage.tables.frontier import sites, sources
from newscrawl.storage.tables.operations import IS_DEAD_LETTER, events, runs

State = Literal["alarm", "failing", "review", "paused", "new", "good"]
STATES: Final[tuple[State, ...]] = ("alarm", "failing", "review", "paused", "new", "good")
"""The states in the order in which sites are listed: trouble first."""
MANY_FAILED: Final = 0.5
"""Share of failed results in 24 hours from which a site counts as failing, as in `newscrawl status --check`."""
MIN_RESULTS: Final = 20
"""Results from which that share is judged."""
PUBLISHED_WITHIN: Final = timedelta(days=7)
"""Versions that `newest_published` looks at: those first seen in this time. They have an index."""
ALARMS: Final = 50
"""Alarms of a site that are reported."""

_NO_SOURCES: Final = (0, 0, None, None)
_NO_ROW: Final[Any] = SimpleNamespace(
    **dict.fromkeys(("language", "country", "newest_article", "last_started", "day", "owner", "priority")),
    daily_requests=None,
    paused=False,
)
"""Stands for the row of a site of which nothing was ever stored."""
_CONTROLLED: Final = tuple(sites.c[name] for name in SiteControl.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Site:
    """A site now."""

    site: str
    language: str | None
    country: str | None
    day: Numbers
    """Its last 24 hours."""
    alarms: tuple[Alarm, ...]
    """Its open alarms."""
    control: SiteControl | None
    is_paused: bool
    sources: int
    failing_sources: int
    next_due: datetime | None
    """When its next source is due; of a paused site, when one would be."""
    last_good_read: datetime | None
    """When a source was last read without an error."""
    in_review: int
    """Pages that wait for review."""
    newest_article: datetime | None
    """When the newest article of the last 60 days was fetched."""
    shown_article: datetime | None
    """The same of the last 28 days."""
    requests_today: int
    """Requests of the UTC day."""
    last_started: datetime | None
    """When its last crawl began."""
    crawled_by: str | None
    """The process that crawls it now."""
    days: Sequence[DayNumbers] = ()
    """Its last 28 days, oldest first; empty unless they are asked for (hours.by_day)."""

    @property
    def state(self) -> State:
        """The state under which it is listed. A paused site has no trouble of its own, but its alarms stay."""
        if self.alarms:
            return "alarm"
        if self.is_paused:
            return "paused"
        if self._fails:
            return "failing"
        if self.in_review:
            return "review"
        return "good" if self.last_started is not None or self.last_good_read is not None else "new"

    @property
    def states(self) -> Collection[State]:
        """Every state that it is in: with an alarm it may also fail, be paused, and have pages in review."""
        found: set[State] = {self.state}
        if self.is_paused:
            found.add("paused")
        elif self._fails:
            found.add("failing")
        if self.in_review:
            found.add("review")
        return found

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is wrong besides its alarms, in words."""
        found = []
        if self.failing_sources:
            found.append(f"{self.failing_sources} of {self.sources} sources fail")
        if self._many_failed:
            found.append(f"{self.day.failed:,} of {self.day.fetched + self.day.failed:,} results of 24 hours failed")
        if self.in_review:
            found.append(f"{self.in_review:,} in review")
        return tuple(found)

    @property
    def trouble(self) -> tuple[str, ...]:
        """What is wrong, with its alarms."""
        return (*(alarm.message for alarm in self.alarms), *self.reasons)

    @property
    def paused_until(self) -> datetime | None:
        """When its pause ends by itself."""
        return self.control.paused_until if self.is_paused and self.control is not None else None

    @property
    def _fails(self) -> bool:
        return (self.sources and self.failing_sources == self.sources) or self._many_failed

    @property
    def _many_failed(self) -> bool:
        results = self.day.fetched + self.day.failed
        return results >= MIN_RESULTS and self.day.failed >= MANY_FAILED * results


def listed(connection: Connection, now: datetime) -> list[Site]:
    """Returns every site that has pages, was crawled, has sources or an open alarm, by name."""
    found = _Facts(connection, now)
    was_crawled = [name for name, row in found.rows.items() if row.last_started or row.last_finished or row.day]
    controlled = [name for name, row in found.rows.items() if _control(row) is not None]
    names = {*distinct(connection, pages.c.site), *was_crawled, *controlled, *found.days, *found.sources, *found.alarms}
    return [found.site(name) for name in sorted(names - {FLEET})]


def named(connection: Connection, names: Collection[str], now: datetime) -> dict[str, Site]:
    """Returns sites by name, also those of which nothing is known."""
    (only,) = names if len(names) == 1 else (None,)
    found = _Facts(connection, now, only)
    return {name: found.site(name) for name in names}


class _Facts:
    """The rows of all sites, or of one, from which `Site` is made."""

    def __init__(self, connection: Connection, now: datetime, only: str | None = None) -> None:
        self.now, self.today, self.shown_since = now, now.astimezone(UTC).date(), hours.begin_of_shown_days(now)
        stored, read, is_failing = sites.c, sources.c, sources.c.failures > 0
        columns = (stored.last_finished, stored.day, stored.requests_today, stored.last_started, stored.newest_article)
        query = select(*_CONTROLLED, *columns, stored.language, stored.country, stored.owner, stored.expires)
        rows = connection.execute(query if only is None else query.where(stored.site == only))
        self.rows: Mapping[str, Any] = {row.site: row for row in rows}
        self.days = hours.last_day(connection, now, only)
        counted = select(
            read.site,
            func.count().label("number"),
            func.count().filter(is_failing).label("failing"),
            func.min(read.next_due).label("next_due"),
            func.max(read.last_fetched).filter(~is_failing).label("last_good"),
        ).group_by(read.site)
        self.sources = {
            row.site: (row.number, row.failing, row.next_due, row.last_good)
            for row in connection.execute(counted if only is None else counted.where(read.site == only))
        }
        self.alarms: defaultdict[str, list[Alarm]] = defaultdict(list)
        for alarm in alarms.open_alarms(connection, only):
            self.alarms[alarm.site].append(alarm)
        self.reviewed = review_queue.counts(connection, only)

    def site(self, name: str) -> Site:
        """Returns a site."""
        now, row = self.now, self.rows.get(name, _NO_ROW)
        number, failing, next_due, last_good = self.sources.get(name, _NO_SOURCES)
        control, newest = _control(row), row.newest_article
        is_today = row.day is not None and self.today <= row.day <= self.today + hours.DAY
        return Site(
            site=name,
            language=row.language,
            country=row.country,
            day=self.days.get(name, NOTHING),
            alarms=tuple(self.alarms.get(name, ())),
            control=control,
            is_paused=control is not None and control.is_paused(now),
            sources=number,
            failing_sources=failing,
            next_due=next_due,
            last_good_read=last_good,
            in_review=self.reviewed.get(name, 0),
            newest_article=newest,
            shown_article=newest if newest is not None and newest >= self.shown_since else None,
            requests_today=row.requests_today if is_today else 0,
            last_started=row.last_started,
            crawled_by=row.owner if row.owner is not None and row.expires > now else None,
        )


def _control(row: Any) -> SiteControl | None:
    if not row.paused and row.priority is None and row.daily_requests is None:
        return None
    return SiteControl(row.site, row.paused, row.paused_until, row.priority, row.daily_requests)


def is_known(connection: Connection, site: str) -> bool:
    """Returns whether the list of sites has the site, or had it: whether the database has a page, a source, a crawl, an
    alarm or a pause of it. The name of the whole fleet is no site."""
    queries = [select(table.c.site) for table in (pages, sources, operations.alarms)]
    queries += [select(sites.c.site).where(WAS_CRAWLED), select(sites.c.site).where(IS_DECIDED)]
    return site != FLEET and any(
        connection.execute(query.where(query.selected_columns.site == site).limit(1)).first() for query in queries
    )


def alarm_history(connection: Connection, site: str) -> Sequence[Alarm]:
    """Returns the alarms of a site, open and closed, the newest first; at most `ALARMS`."""
    table = operations.alarms
    query = select(table).where(table.c.site == site).order_by(table.c.opened_at.desc(), table.c.id.desc())
    return with_deliveries(connection, map(of_row, connection.execute(query.limit(ALARMS))))


# The orders of the list.

Sort = Literal["failed", "stored", "newest", "due"]
"""Most failures in 24 hours first, most articles stored, newest article, or what is due next."""
Place = tuple[int, str]
"""A number that grows from the first site to the last, and the site, which decides between equal numbers."""

_LAST: Final = 1 << 62
"""The number of a site without the time by which it would be sorted."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,19}")


def order_of(sort: Sort | None) -> Callable[[Site], Place]:
    """Returns what tells the place of a site; None sorts trouble first. A paused site is due last."""

    def number(one: Site) -> int:
        if sort is None:
            return STATES.index(one.state)
        if sort == "failed":
            return -one.day.failed
        if sort == "stored":
            return -one.day.stored
        if sort == "newest":
            return _LAST if one.newest_article is None else -_microseconds(one.newest_article)
        return _LAST if one.next_due is None or one.is_paused else _microseconds(one.next_due)

    return lambda one: (number(one), one.site)


def place_text(place: Place, sort: Sort | None) -> str:
    """Returns a place as a parameter. Trouble first has the name of the state in place of its number."""
    number, site = place
    return f"{number if sort else STATES[number]}:{site}"


def read_place(text: str, sort: Sort | None) -> Place:
    """Returns the place that a parameter names. Raises UsageError."""
    first, between, site = text.partition(":")
    if between and sort is None and first in STATES:
        return [str(state) for state in STATES].index(first), site
    if between and sort is not None and _NUMBER.fullmatch(first):
        return int(first), site
    raise UsageError(f"after={text[:50]!r}: give the `next` of the part before, with the same sort")


def _microseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000)


# What is counted over pages.


@dataclass(frozen=True, slots=True)
class CrawlRun:
    """A crawl. `finished` is None while it runs, and also if it was killed."""

    id: int
    site: str
    started: datetime
    finished: datetime | None
    counters: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Totals:
    """The numbers of a site since it was first crawled.

    `articles` are its pages whose text no other page, of any site, had shown when it was stored, `duplicates` those
    that joined such a text. So articles add up over sites. A duplicate stays one if the other page goes. `extractors`
    counts the articles by extractor. `fallback_share` is the share of articles whose text is not from the first
    extractor of the chain (0.0 without articles). `failures` counts pages by the reason why their latest visit failed,
    and `failed` is their sum. Not among them are pages that are `gone` (404, 410), those that robots.txt `refused`,
    those that could be read and have `no_article`, and those `in_review` because the extraction of the site looks
    broken (model.group_of). `pending` counts announced pages that were not fetched yet.
    """

    site: str
    pages: int
    articles: int
    duplicates: int
    pending: int
    failed: int
    gone: int
    dead_letters: int
    fallback_share: float
    extractors: Mapping[str, int]
    failures: Mapping[str, int]
    last_run: CrawlRun | None
    in_review: int
    refused: int
    no_article: int


def totals(connection: Connection, site: str | None = None) -> list[Totals]:
    """Returns the numbers of every site that has a page, a run, a dead letter or a counted hour, by name; or of one
    site, known or not.

    Pages are counted over an index that has all that is counted.
    """
    counted, bad = _pages(connection, site), _dead_letters(connection, site)
    names = sorted({*counted, *bad, *site_names(connection)}) if site is None else [site]
    kept = review_queue.counts(connection, site)
    ran = last_runs(connection, site)
    return [_totals(name, counted[name], bad.get(name, 0), ran.get(name), kept.get(name, 0)) for name in names]


def last_runs(connection: Connection, site: str | None = None) -> dict[str, CrawlRun]:
    """Returns the latest crawl of every site, or of one."""
    names, of_site = distinct_of(runs.c.site), runs.alias()
    newest = select(of_site.c.id).where(of_site.c.site == (names.c.value if site is None else site))
    newest = newest.order_by(of_site.c.started.desc(), of_site.c.id.desc()).limit(1)
    every = select(newest.correlate(names).scalar_subquery()).select_from(names)
    query = select(runs).where(runs.c.id.in_(newest if site is not None else every))
    rows = connection.execute(query)
    return {row.site: CrawlRun(row.id, row.site, row.started, row.finished, row.counters or {}) for row in rows}


def newest_published(connection: Connection, now: datetime) -> dict[str, datetime]:
    """Returns the newest publication date that each site's pages of the last seven days state."""
    query = (
        select(pages.c.site, func.max(versions.c.published))
        .select_from(versions.join(pages, pages.c.id == versions.c.page_id))
        .where((versions.c.seen_at >= now - PUBLISHED_WITHIN) & versions.c.published.is_not(None))
        .group_by(pages.c.site)
    )
    return {str(site): at for site, at in connection.execute(query)}


def site_names(connection: Connection) -> list[str]:
    """Returns the names of all sites that have a page, a run or a counted hour. Its cost grows with the number of
    sites and their hours, not with that of pages and runs."""
    found = set(hours.site_names(connection))
    for table in (pages, runs):
        found |= set(distinct(connection, table.c.site))
    return sorted(found)


def _dead_letters(connection: Connection, site: str | None) -> dict[str, int]:
    """Returns the numbers of dead letters by site, of one site if it is given."""
    query = select(events.c.site, func.count().label("number")).where(text(IS_DEAD_LETTER)).group_by(events.c.site)
    query = query if site is None else query.where(events.c.site == site)
    return {row.site: row.number for row in connection.execute(query)}


def _pages(connection: Connection, site: str | None) -> defaultdict[str, list[Any]]:
    """Returns the numbers of pages by site, each of pages that are alike in all that is counted."""
    counted = [pages.c[name] for name in ("site", "state", "failure_kind", "extractor", "fallback", "joined")]
    query = select(*counted, func.count().label("number")).group_by(*counted)
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(query if site is None else query.where(pages.c.site == site)):
        found[row.site].append(row)
    return found


def _sums(rows: Iterable[Row[Any]], name: str) -> Counter[str]:
    """Returns how many pages there are by what stands in a column, for what stands in any."""
    found: Counter[str] = Counter()
    for row in rows:
        if (value := getattr(row, name)) is not None:
            found[value] += row.number
    return found


def _totals(name: str, rows: Sequence[Row[Any]], bad: int, ran: CrawlRun | None, kept: int) -> Totals:
    states, joined = _sums(rows, "state"), [row for row in rows if row.joined]
    firsts = [row for row in rows if not row.joined and row.extractor is not None]
    by_extractor, fallbacks = _sums(firsts, "extractor"), _sums((row for row in firsts if row.fallback), "extractor")
    grouped: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for kind, number in sorted(_sums(rows, "failure_kind").items()):
        grouped[group_of(kind)][kind] = number
    failed, articles = grouped["failure"], by_extractor.total()
    return Totals(
        site=name,
        pages=states.total(),
        articles=articles,
        duplicates=sum(row.number for row in joined),
        pending=states["found"],
        failed=sum(failed.values()),
        gone=states["gone"],
        dead_letters=bad,
        fallback_share=fallbacks.total() / articles if articles else 0.0,
        extractors=dict(sorted(by_extractor.items())),
        failures=failed,
        last_run=ran,
        in_review=kept,
        refused=sum(grouped["refused"].values()),
        no_article=sum(grouped["no article"].values()),
    )
