"""The sites: what is due, what is left of their daily budgets, what operators decided with commands (`newscrawl pause`,
`resume`, `priority`, `budget`), what the sites declare, and the weekly comparison of a site's front page with its
sources.

A site has one row in the table `sites`, which holds nothing big: its lease and its count of requests change every few
seconds. Rows with a colon in their name, and `*`, are of other work; only what a crawl or a command has touched counts
as a site.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    text,
    update,
)

from newscrawl.crawling.scheduling.site_state import SiteControl, SiteDue
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity import url_key
from newscrawl.storage.engine.sql import Values, rows_among, upsert
from newscrawl.storage.frontier.leases import in_force
from newscrawl.storage.monitoring import hours
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.tables.articles import articles, pages
from newscrawl.storage.tables.frontier import DECIDED, sites, sources
from newscrawl.storage.tables.operations import alarms, runs

MAX_ROWS: Final = 20_000
"""Due sources, and due pages, that one tick reads, the longest waiting first. After days without a crawl everything is
due, and a tick must not take seconds."""

COVERAGE: Final = "coverage"
"""The kind of the alarms of the weekly comparison of a site's front page with its sources."""
COMPARED_EVERY: Final = timedelta(days=7)
COMPARED_AGAIN: Final = timedelta(days=1)
"""The time to the next comparison after one that found missing articles, or that could not read the front page."""
MAX_NAMED: Final = 2_000
"""The most pages of a site that are compared, the newest first. A front page and a news sitemap together list fewer."""
ACCEPTED: Final = "accepted"
_NAMING: Final = ("feed", "sitemap", "section")

AGENT: Final = "user_agent"
"""The name of the applied setting whose value is the user agent that the site's crawls obey robots.txt for."""

WAS_CRAWLED: Final = or_(
    sites.c.last_started.is_not(None), sites.c.last_finished.is_not(None), sites.c.day.is_not(None)
)
"""The condition of the rows of sites that a crawl has touched, as in the view `site_health`."""
IS_DECIDED: Final = text(f"({DECIDED})")
"""The condition of the rows that a command changed, written as in the index of these few rows: every process that
crawls reads them every few seconds."""

NOBODY: Final = ""
"""A name that no site has."""

_CONTROLS: Final = tuple(sites.c[field.name] for field in fields(SiteControl))


@dataclass(frozen=True, slots=True)
class AppliedSetting:
    """A setting as it applies to a site: its value as text, and where that comes from."""

    name: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class SiteDeclaration:
    """The declaration of a site. `patterns` are the expressions of its rule; without any, general rules judge
    addresses. `republishes` says whether it republishes articles of other sites; None is read where the site is no
    longer declared."""

    site: str
    home: str
    language: str | None
    country: str | None
    patterns: Sequence[str]
    settings: Sequence[AppliedSetting]
    republishes: bool | None = False


@dataclass(frozen=True, slots=True)
class FrontPageReading:
    """The readings of a site's front page for this comparison. `read_at` is the last one; None if there was none, or if
    it is not known. `due` is the next one; None before the first crawl that plans one."""

    site: str
    read_at: datetime | None
    due: datetime | None


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
    upsert(connection, sites, ["site"], [{"site": site, "last_started": now}])


def note_finish(connection: Connection, site: str, now: datetime) -> None:
    """Records that a crawl of the site ended."""
    upsert(connection, sites, ["site"], [{"site": site, "last_finished": now}])


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
    row = {"site": site, "day": today, "requests_today": number}
    (back,) = upsert(connection, sites, ["site"], [row], changes, [sites.c.requests_today])
    return int(back.requests_today)


def note_over_budget(connection: Connection, site: str) -> None:
    """Counts that due work was left because the day's budget was used up."""
    once = {"over_budget_count": lambda stored, _incoming: stored + 1}
    upsert(connection, sites, ["site"], [{"site": site, "over_budget_count": 1}], once)


def next_due(connection: Connection, names: Iterable[str]) -> dict[str, datetime]:
    """Returns when the next source of each site is due."""
    query = select(sources.c.site, func.min(sources.c.next_due).label("first")).group_by(sources.c.site)
    query = query.where(sources.c.next_due.is_not(None))
    return {row.site: row.first for row in rows_among(connection, query, sources.c.site, names)}


def controls(connection: Connection, site: str | None = None) -> dict[str, SiteControl]:
    """Returns what commands decided about all sites, or about the one named, by site."""
    query = select(*_CONTROLS).where(IS_DECIDED)
    rows = connection.execute(query if site is None else query.where(sites.c.site == site))
    return {row.site: SiteControl(**row._asdict()) for row in rows}


def control(connection: Connection, site: str) -> SiteControl | None:
    """Returns what commands decided about one site; None if only its declaration holds."""
    return controls(connection, site).get(site)


def paused_sites(now: datetime) -> Select[tuple[str]]:
    """Returns the query of the names of all sites that are paused at this time, as SiteControl.is_paused decides."""
    until = sites.c.paused_until
    return select(sites.c.site).where(text("paused"), until.is_(None) | (until > now))


def pause(connection: Connection, site: str, until: datetime | None, now: datetime) -> None:
    """Pauses the site until this time, or until it is resumed if that is None."""
    _decide(connection, site, now, paused=True, paused_until=until)


def resume(connection: Connection, site: str, now: datetime) -> bool:
    """Ends the pause of a site. Returns whether it was paused."""
    known = control(connection, site)
    _decide(connection, site, now, paused=False, paused_until=None)
    return known is not None and known.is_paused(now)


def set_priority(connection: Connection, site: str, priority: float | None, now: datetime) -> None:
    """Sets the priority of a site; None removes it."""
    _decide(connection, site, now, priority=priority)


def set_daily_requests(connection: Connection, site: str, daily_requests: str | None, now: datetime) -> None:
    """Sets the requests a day of a site; None removes them, so that the declaration's number holds."""
    _decide(connection, site, now, daily_requests=daily_requests)


def _decide(connection: Connection, site: str, now: datetime, **values: Any) -> None:
    """Writes the values. A pause that has ended by itself is removed."""
    upsert(connection, sites, ["site"], [{"site": site, **values, "changed": now}])
    has_ended = (sites.c.site == site) & (sites.c.paused_until <= now)
    connection.execute(update(sites).where(has_ended).values(paused=False, paused_until=None))


def note_declared(connection: Connection, republishing: Mapping[str, bool], *, all_of_them: bool = False) -> set[str]:
    """Stores which sites are declared, and returns those that changed. In a story, their pages are shown before the
    pages of other sites.

    `republishing` maps a site to whether it republishes texts of others. With `all_of_them`, sites that are not named
    are no longer declared.
    """
    known = select(sites.c.site, sites.c.republishes).where(sites.c.republishes.is_not(None))
    if not all_of_them:
        known = known.where(sites.c.site.in_(list(republishing)))
    stored = {row.site: row.republishes for row in connection.execute(known)}
    gone = stored.keys() - republishing.keys() if all_of_them else set[str]()
    wanted = {**republishing, **dict.fromkeys(gone)}
    changed = {site for site, republishes in wanted.items() if stored.get(site) != republishes}
    upsert(connection, sites, ["site"], [{"site": site, "republishes": wanted[site]} for site in sorted(changed)])
    return changed


def declare(connection: Connection, declared: SiteDeclaration, now: datetime) -> None:
    """Stores what a site declares, if that has changed. A crawl does it when it begins, so that pages and reports need
    no file of the site."""
    known = declaration(connection, declared.site)
    if known is None or known[0] != declared:
        same = ("home", "language", "country", "republishes")
        values: dict[str, Any] = {name: getattr(declared, name) for name in same}
        values["patterns"] = list(declared.patterns)
        values["settings"] = [[one.name, one.value, one.origin] for one in declared.settings]
        upsert(connection, sites, ["site"], [{"site": declared.site, **values, "noted": now}])


def declaration(connection: Connection, site: str) -> tuple[SiteDeclaration, datetime] | None:
    """Returns what a site declares, and since when; None if no crawl has noted it."""
    row = connection.execute(select(sites).where(sites.c.site == site, sites.c.noted.is_not(None))).one_or_none()
    if row is None:
        return None
    settings = tuple(AppliedSetting(*map(str, one)) for one in row.settings or ())
    patterns = tuple(row.patterns or ())
    declared = SiteDeclaration(
        row.site, row.home, row.language, row.country, patterns, settings, republishes=row.republishes
    )
    return declared, row.noted


def comparison_due(connection: Connection, site: str, now: datetime) -> bool:
    """Returns whether the site's front page is to be compared with its sources. The first comparisons of the sites are
    spread over a week."""
    due = connection.execute(select(sites.c.coverage_due).where(sites.c.site == site)).scalar()
    if due is None:
        digest = blake2b(site.encode(), digest_size=2).digest()
        plan_comparison(connection, site, now + COMPARED_EVERY * (int.from_bytes(digest) / 65_536))
        return False
    return bool(due <= now)


def plan_comparison(connection: Connection, site: str, due: datetime) -> None:
    """Stores when the next comparison is due."""
    connection.execute(update(sites).where(sites.c.site == site).values(coverage_due=due))


def front_page(connection: Connection, url: str, now: datetime) -> FrontPageReading | None:
    """Returns the readings of the front page at `url`; None if it is no site's. Raises InvalidUrl.

    Only the next reading is stored, `COMPARED_EVERY` after a good one or `COMPARED_AGAIN` after another. So the last
    one is known while the next is further away than `COMPARED_AGAIN`, if the site was crawled then already.
    """
    key = url_key(url)
    query = select(sites.c.site, sites.c.home, sites.c.coverage_due).where(sites.c.home.is_not(None))
    row = next((row for row in connection.execute(query) if url_key(row.home) == key), None)
    if row is None:
        return None
    site, due = row.site, row.coverage_due
    begun = connection.execute(select(func.min(runs.c.started)).where(runs.c.site == site)).scalar()
    is_known = due is not None and begun is not None and due - now > COMPARED_AGAIN and due - COMPARED_EVERY >= begun
    return FrontPageReading(site, due - COMPARED_EVERY if is_known and due is not None else None, due)


def named_pages(connection: Connection, site: str) -> tuple[list[Candidate], set[str]]:
    """Returns the newest pages that sources have named, and the languages of the articles among them."""
    query = (
        select(pages, articles.c.language)
        .select_from(pages.outerjoin(articles))
        .where((pages.c.site == site) & pages.c.discovery_kind.in_(_NAMING))
        .order_by(pages.c.id.desc())
        .limit(MAX_NAMED)
    )
    candidates: list[Candidate] = []
    languages: set[str] = set()
    for row in connection.execute(query):
        discovery = Discovery(row.discovery_kind, row.discovery_source, row.discovery_title, row.discovery_published)
        candidates.append(Candidate(row.url, discovery))
        languages |= {row.language} if row.language else set()
    return candidates, languages


def accepted_gap(connection: Connection, site: str) -> int:
    """Returns how many missing articles the operator accepted with the last alarm of this kind."""
    query = select(alarms.c.details).where((alarms.c.site == site) & (alarms.c.kind == COVERAGE))
    details = connection.execute(query.order_by(alarms.c.id.desc()).limit(1)).scalar()
    return int((details or {}).get(ACCEPTED, 0))


def installation(connection: Connection) -> str:
    """Returns the identity of the installation, a UUID, which the schema's first revision made."""
    return str(connection.execute(select(sites.c.installation).where(sites.c.site == FLEET)).scalar_one())


def probe(connection: Connection) -> None:
    """Writes to the disk and leaves all data as it was: whether the database accepts a write. An empty transaction
    would not show it, because it commits even on a full disk."""
    connection.execute(delete(sites).where(sites.c.site == NOBODY))
    connection.execute(insert(sites).values(site=NOBODY))
    connection.execute(delete(sites).where(sites.c.site == NOBODY))


def forget(connection: Connection, site: str) -> None:
    """Empties the row of a site of what commands decided, what the site declares, and what was extracted again. The row
    stays: the token of its lease must grow, and today's requests count against its budget. So do the times of its
    crawls, and whether it is declared."""
    emptied = ("paused_until", "priority", "daily_requests", "changed", "home", "language", "country", "patterns")
    values = {"paused": False, **dict.fromkeys((*emptied, "settings", "noted", "reextracted"))}
    connection.execute(update(sites).where(sites.c.site == site).values(values))


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
    columns = (sites.c.site, sites.c.day, sites.c.requests_today, sites.c.last_started, sites.c.last_finished)
    for row in rows_among(connection, select(*columns), sites.c.site, by_site):
        is_today = row.day is not None and today <= row.day <= today + hours.DAY
        requests = row.requests_today if is_today else 0
        history = {"last_started": row.last_started, "last_finished": row.last_finished}
        by_site[row.site] |= {"requests_today": requests, **history}
    for site, of_today in hours.full(connection, now).items():
        if site in by_site:
            by_site[site]["bound_reached"] = of_today.limit_reached
    for site in connection.execute(select(sites.c.site).where(in_force(now))).scalars():
        if site in by_site:
            by_site[site]["leased"] = True
