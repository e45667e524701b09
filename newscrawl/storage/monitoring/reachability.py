"""Checks which sites are unreachable, opens their alarms and closes them.

It reads what crawls have stored, so an alarm is opened by the clock also while the host's rest forbids requests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, and_, exists, func, select

from newscrawl.model import UNANSWERED
from newscrawl.monitoring.reachability import OPEN_AFTER, SourceState, Unreachable, judge_pages, judge_sources
from newscrawl.storage.engine.sql import distinct, rows_among
from newscrawl.storage.frontier.crawls import UNREAD
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import FLEET, UNREACHABLE, Alarm, AlarmChanges
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.storage.tables.frontier import sources
from newscrawl.storage.tables.operations import alarms as alarms_table
from newscrawl.storage.tables.operations import events

MAX_EVENTS: Final = 20_000
"""The newest events among which failed pages are looked for: 15 minutes of a fleet that fetches seven pages a second.
A busier fleet misses an alarm about a site whose sources answer and whose pages do not."""
MIN_PAGES: Final = 3
"""Pages that must fail, with none answered since."""
MIN_SITES: Final = 5
"""If at least so many sites, and half of all, are unreachable, one alarm of the fleet says it: it is rather this
machine's network."""
MAX_NAMED: Final = 50
"""Sites that the details of the fleet's alarm name."""


@dataclass(frozen=True, slots=True)
class _PageResults:
    """The latest results of a site's pages: when one was answered, and those that were not since then."""

    answered_at: datetime | None
    failed: Unreachable | None


def check_reachable(
    connection: Connection, now: datetime, declared: Collection[str], asleep: Collection[str] = ()
) -> AlarmChanges:
    """Opens the alarm of each site that is unreachable for `OPEN_AFTER`, updates it, and closes it once the site
    answers. It is opened for sites that are `declared` and not `asleep`."""
    known = {alarm.site: alarm for alarm in alarms.open_alarms(connection) if alarm.kind == UNREACHABLE}
    of_pages = _pages(connection)
    names = {*_sites_with_failures(connection), *of_pages, *known} - {FLEET, GENERIC_SITE}
    away = _unreachable(connection, names, of_pages)
    late = {
        site
        for site, one in away.items()
        if site in known
        or (
            site in declared
            and site not in asleep
            and now - one.since >= OPEN_AFTER
            and not _is_accepted(connection, site, one.since)
        )
    }
    wanted: list[Alarm] = []
    if _are_most(connection, late):
        since = min(away[site].since for site in late)
        message = f"{len(late)} sites are unreachable since {since:%Y-%m-%d %H:%M} UTC: is this machine's network away?"
        details = {"sites": sorted(late)[:MAX_NAMED]}
        wanted.append(Alarm(FLEET, UNREACHABLE, "critical", since, now, message, details))
        late &= known.keys()
    for site in sorted(late):
        since, text = away[site].since, away[site].text
        wanted.append(Alarm(site, UNREACHABLE, "critical", since, now, text.message, text.details))
    return alarms.keep(connection, known.values(), wanted, now)


def _sites_with_failures(connection: Connection) -> set[str]:
    return set(connection.execute(select(sources.c.site).where(sources.c.failures > 0).distinct()).scalars())


def _unreachable(
    connection: Connection, names: Collection[str], of_pages: Mapping[str, _PageResults]
) -> dict[str, Unreachable]:
    """Returns which of these sites are unreachable."""
    by_site: dict[str, list[SourceState]] = {}
    columns = (sources.c.site, sources.c.failures, sources.c.failing_since, sources.c.failure_kind)
    # A source without visits of its own is read with its index. One that no crawl reads is not declared any more.
    query = select(*columns, sources.c.last_fetched).where(sources.c.next_due.is_not(None))
    for row in rows_among(connection, query, sources.c.site, names):
        if row.failure_kind != UNREAD:
            state = SourceState(row.failures, row.failing_since, row.failure_kind, row.last_fetched)
            by_site.setdefault(row.site, []).append(state)
    found: dict[str, Unreachable] = {}
    for site in names:
        results = of_pages.get(site, _PageResults(None, None))
        of_sources = by_site.get(site)
        judged = judge_sources(of_sources, results.answered_at) if of_sources else None
        judged = judged or results.failed
        if judged is not None:
            found[site] = judged
    return found


def _pages(connection: Connection) -> dict[str, _PageResults]:
    """Returns the latest results of pages of the sites of which at least `MIN_PAGES` had no answer."""
    newest = connection.execute(select(func.max(events.c.id))).scalar() or 0
    is_recent = events.c.id > newest - MAX_EVENTS
    is_failed = events.c.kind.in_(sorted(UNANSWERED))
    is_source = exists().where(sources.c.site == events.c.site, sources.c.url_key == events.c.url_key)
    failed = select(events.c.site).where(is_recent, is_failed, ~is_source).group_by(events.c.site)
    failing = failed.having(func.count(events.c.url_key.distinct()) >= MIN_PAGES)
    names = [site for site in connection.execute(failing).scalars() if site != GENERIC_SITE]
    of_pages = and_(is_recent, ~is_source)
    is_answered = and_(events.c.status.is_not(None), events.c.status < 500, events.c.status != 429, ~is_failed)
    latest = select(events.c.site, func.max(events.c.at, type_=events.c.at.type).label("at"))
    latest = latest.where(of_pages, is_answered).group_by(events.c.site)
    answered = {row.site: row.at for row in rows_among(connection, latest, events.c.site, names)}
    columns = (events.c.site, events.c.url_key, events.c.at, events.c.kind)
    without_answer = select(*columns).where(of_pages, is_failed).order_by(events.c.at)
    since: dict[str, list[Any]] = {site: [] for site in names}
    for row in rows_among(connection, without_answer, events.c.site, names):
        if row.site not in answered or row.at > answered[row.site]:
            since[row.site].append(row)
    return {site: _PageResults(answered.get(site), _judged(failed)) for site, failed in since.items()}


def _judged(failed: list[Any]) -> Unreachable | None:
    number = len({row.url_key for row in failed})
    if number < MIN_PAGES:
        return None
    return judge_pages(failed[0].at, number, Counter(row.kind for row in failed))


def _is_accepted(connection: Connection, site: str, since: datetime) -> bool:
    """Returns whether an operator closed the alarm about these failures (`newscrawl status --accept`)."""
    table = alarms_table.c
    is_this = (table.site == site, table.kind == UNREACHABLE, table.closed_at >= since + OPEN_AFTER)
    return connection.execute(select(table.id).where(*is_this).limit(1)).first() is not None


def _are_most(connection: Connection, away: Collection[str]) -> bool:
    return len(away) >= MIN_SITES and 2 * len(away) >= len(list(distinct(connection, sources.c.site)))
