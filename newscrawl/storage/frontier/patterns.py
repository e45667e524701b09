"""Patterns of addresses: how many addresses of a pattern had no new article, and which patterns are given up.

A row exists only for a pattern whose latest first visit found no new article; a new article removes it. A site has at
most `MAX_PATTERNS` rows; those with the fewest fruitless addresses are removed first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, delete, func, select, update

from newscrawl.identity.patterns import pattern_of
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.monitoring import site_totals
from newscrawl.storage.tables.schema import pages, url_patterns

ENOUGH: Final = 200
"""The number of consecutive addresses without a new article after which a pattern is given up."""
MAX_PATTERNS: Final = 500
"""The most patterns of a site that are stored."""
GIVEN_UP: Final = "discovery/pattern_given_up"
"""Why an announced page is not fetched. It is announced again when its pattern has an article."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The first visit of an announced address, and whether it found a new article."""

    site: str
    url: str
    is_fruitful: bool


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A pattern that is given up, and since when."""

    site: str
    pattern: str
    since: datetime


def record(connection: Connection, visits: Iterable[Visit], now: datetime, enough: int = ENOUGH) -> None:
    """Counts first visits. A pattern with `enough` fruitless ones in a row is given up, and its announced pages are not
    fetched. A pattern with a new article is used again, with its pages."""
    of_sites: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for visit in visits:
        of_sites[visit.site][pattern_of(visit.url)].append(visit.is_fruitful)
    for site, of_patterns in sorted(of_sites.items()):
        _record(connection, site, of_patterns, now, enough)


def given_up(connection: Connection, site: str | None = None) -> list[GivenUp]:
    """Returns the patterns that are given up, of one site or of all: by site, the oldest first."""
    query = select(url_patterns.c.site, url_patterns.c.pattern, url_patterns.c.given_up_at).where(
        url_patterns.c.given_up_at.is_not(None)
    )
    if site is not None:
        query = query.where(url_patterns.c.site == site)
    rows = connection.execute(query.order_by(url_patterns.c.site, url_patterns.c.given_up_at, url_patterns.c.pattern))
    return [GivenUp(row.site, row.pattern, row.given_up_at) for row in rows]


def allowed(connection: Connection, site: str, urls: Mapping[str, str], now: datetime) -> set[str]:
    """Returns the keys to fetch of the never-fetched addresses `urls` of a site: all whose pattern is not given up and,
    for each given-up pattern, one address a day (UTC), which this call uses up."""
    barred = {row.pattern for row in given_up(connection, site)}
    if not barred:
        return set(urls)
    of_keys = {key: pattern_of(url) for key, url in urls.items()}
    kept = {key for key, pattern in of_keys.items() if pattern not in barred}
    first = {pattern: key for key, pattern in reversed(of_keys.items()) if pattern in barred}
    today = now.astimezone(UTC).date()
    for chunk in chunks(sorted(first)):
        untried = url_patterns.c.last_probe.is_(None) | (url_patterns.c.last_probe < today)
        mine = (url_patterns.c.site == site) & url_patterns.c.pattern.in_(chunk) & untried
        tried = connection.execute(
            update(url_patterns).where(mine).values(last_probe=today).returning(url_patterns.c.pattern)
        )
        kept.update(first[pattern] for pattern in tried.scalars())
    return kept


def after(fruitless: int, visits: Sequence[bool]) -> int:
    """Returns how many visits in a row were fruitless, after these."""
    for is_fruitful in visits:
        fruitless = 0 if is_fruitful else fruitless + 1
    return fruitless


def _record(
    connection: Connection, site: str, visits: Mapping[str, Sequence[bool]], now: datetime, enough: int
) -> None:
    known = {}
    for chunk in chunks(sorted(visits)):
        query = select(url_patterns).where(url_patterns.c.site == site, url_patterns.c.pattern.in_(chunk))
        known.update({row.pattern: row for row in connection.execute(query)})
    counts = {
        pattern: after(known[pattern].visits_without_article if pattern in known else 0, results)
        for pattern, results in visits.items()
    }
    fruitful = [pattern for pattern, results in visits.items() if any(results) and pattern in known]
    for chunk in chunks(sorted(fruitful)):
        connection.execute(delete(url_patterns).where(url_patterns.c.site == site, url_patterns.c.pattern.in_(chunk)))
    again = {pattern for pattern in fruitful if known[pattern].given_up_at is not None}
    rows, ended = [], set()
    for pattern, fruitless in sorted(counts.items()):
        before = known[pattern] if pattern in known and pattern not in fruitful else None
        since = before.given_up_at if before is not None else None
        if since is None and fruitless >= enough:
            since = now
            ended.add(pattern)
        if fruitless:
            tried = now.astimezone(UTC).date() if since is not None else None
            rows.append(
                {
                    "site": site,
                    "pattern": pattern,
                    "visits_without_article": fruitless,
                    "last_visit": now,
                    "given_up_at": since,
                }
                | {"last_probe": tried}
            )
    upsert(connection, url_patterns, ["site", "pattern"], rows)
    if any(row["pattern"] not in known for row in rows):
        _tidy(connection, site)
    if ended:
        _mark(connection, site, ended, given_up=True)
    if again - ended:
        _mark(connection, site, again - ended, given_up=False)


def _mark(connection: Connection, site: str, which: set[str], *, given_up: bool) -> None:
    """Marks the announced pages of these patterns as given up, or as `found` again."""
    is_given_up = (pages.c.state == "failed") & (pages.c.failure_kind == GIVEN_UP)
    mine = (pages.c.site == site) & ((pages.c.state == "found") if given_up else is_given_up)
    rows = connection.execute(select(pages.c.id, pages.c.url).where(mine))
    numbers = [row.id for row in rows if pattern_of(row.url) in which]
    values = {"state": "failed", "failure_kind": GIVEN_UP} if given_up else {"state": "found", "failure_kind": None}
    for chunk in chunks(numbers):
        with site_totals.counted_again(connection, chunk):
            connection.execute(update(pages).where(pages.c.id.in_(chunk)).values(**values, next_due=None))


def _tidy(connection: Connection, site: str) -> None:
    """Deletes patterns beyond the limit of a site."""
    number = connection.execute(select(func.count()).where(url_patterns.c.site == site)).scalar_one()
    if number <= MAX_PATTERNS:
        return
    order = (
        url_patterns.c.given_up_at.is_not(None),
        url_patterns.c.visits_without_article,
        url_patterns.c.last_visit,
        url_patterns.c.pattern,
    )
    least = (
        select(url_patterns.c.pattern).where(url_patterns.c.site == site).order_by(*order).limit(number - MAX_PATTERNS)
    )
    names = connection.execute(least).scalars().all()
    for chunk in chunks(names):
        connection.execute(delete(url_patterns).where(url_patterns.c.site == site, url_patterns.c.pattern.in_(chunk)))
