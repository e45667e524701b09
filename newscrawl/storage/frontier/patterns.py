"""Patterns of addresses: how many addresses of a pattern had no new article, and which patterns are given up.

A row exists only for a pattern whose latest first visit found no new article; a new article removes it. Directories
whose pages are of one kind have rows too (newscrawl.scheduling.rejected_patterns). A site has at most `MAX_PATTERNS`
rows; those with the fewest fruitless addresses are removed first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Delete, delete, func, or_, select, update

from newscrawl.identity.patterns import directory_of, pattern_of
from newscrawl.scheduling.rejected_patterns import FREE, RejectedPattern, asked_for, row_after
from newscrawl.storage.engine.sql import Values, chunks, incoming, read_rows, upsert
from newscrawl.storage.engine.types import PATTERN_LIMIT, clean_text
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import url_patterns

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
    failure: str | None = None
    """The code of the failure, if the page was none."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A pattern that is given up, and since when."""

    site: str
    pattern: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored pattern: its fruitless visits in a row, whether it is given up, and the kind of a directory."""

    fruitless: int
    is_given_up: bool
    kind: str | None = None


StoredPatterns = Mapping[tuple[str, str], Stored]
"""Stored patterns by site and pattern."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The changes by first visits. `rows` are written, `fruitful` are removed before; `ended` are given up, `again` are
    used again. All but the rows are pairs of a site and a pattern."""

    rows: Sequence[Values]
    fruitful: Collection[tuple[str, str]]
    ended: Collection[tuple[str, str]]
    again: Collection[tuple[str, str]]
    new: Collection[str]
    """The sites with patterns that were not stored."""


def record(connection: Connection, visits: Sequence[Visit], now: datetime, enough: int = ENOUGH) -> None:
    """Counts first visits. A pattern with `enough` fruitless ones in a row is given up, and its announced pages are not
    fetched. A pattern with a new article is used again, with its pages."""
    if visits:
        counted = count(visits, load(connection, visits), now, enough)
        mark(connection, counted)
        write(connection, counted)


def load(connection: Connection, visits: Iterable[Visit]) -> StoredPatterns:
    """Returns the stored patterns and directories of the visits."""
    pairs = {
        (visit.site, clean_text(pattern, PATTERN_LIMIT))
        for visit in visits
        for pattern in (pattern_of(visit.url), directory_of(visit.url))
    }
    lists = {"sites": sorted({site for site, _ in pairs}), "patterns": sorted({pattern for _, pattern in pairs})}
    rows = read_rows(connection, _ON_SQLITE, _ON_POSTGRESQL, lists) if pairs else []
    return {
        (site, pattern): Stored(fruitless, bool(is_given_up), kind)
        for site, pattern, fruitless, is_given_up, kind in rows
    }


def count(visits: Iterable[Visit], known: StoredPatterns, now: datetime, enough: int = ENOUGH) -> Counted:
    """Returns what the visits change."""
    visits = list(visits)
    results: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for visit in visits:
        results[visit.site, clean_text(pattern_of(visit.url), PATTERN_LIMIT)].append(visit.is_fruitful)
    fruitful = {pair for pair, found in results.items() if any(found) and pair in known}
    again = {pair for pair in fruitful if known[pair].is_given_up}
    ended: set[tuple[str, str]] = set()
    rows: list[Values] = []
    for pair, found in sorted(results.items()):
        fruitless = after(known[pair].fruitless if pair in known else 0, found)
        is_given_up = pair in known and pair not in fruitful and known[pair].is_given_up
        if not is_given_up and fruitless >= enough:
            ended.add(pair)
        if fruitless:
            row = {"site": pair[0], "pattern": pair[1], "visits_without_article": fruitless, "last_visit": now}
            row["given_up_at"] = now if pair in ended else None
            row["last_probe"] = now.astimezone(UTC).date() if is_given_up or pair in ended else None
            rows.append(row | {"kind": None})
    load_kinds, over = _count_kinds(visits, known, now)
    rows += load_kinds
    fruitful |= over
    new = {row["site"] for row in rows if (row["site"], row["pattern"]) not in known}
    return Counted(rows, fruitful, ended, again - ended, new)


def _count_kinds(
    visits: Iterable[Visit], known: StoredPatterns, now: datetime
) -> tuple[list[Values], set[tuple[str, str]]]:
    """Returns the new rows of directories whose latest visits had one verdict, and those directories whose row is
    over."""
    results: dict[tuple[str, str], list[str | None]] = defaultdict(list)
    for visit in visits:
        results[visit.site, clean_text(directory_of(visit.url), PATTERN_LIMIT)].append(visit.failure)
    rows: list[Values] = []
    over: set[tuple[str, str]] = set()
    for pair, failures in sorted(results.items()):
        stored = known.get(pair, Stored(0, is_given_up=False))
        kind, number = row_after((stored.kind, stored.fruitless), failures)
        if kind is not None:
            row = {"site": pair[0], "pattern": pair[1], "visits_without_article": number, "last_visit": now}
            rows.append(row | {"given_up_at": None, "last_probe": None, "kind": kind})
        elif pair in known:
            over.add(pair)
    return rows, over


def mark(connection: Connection, counted: Counted) -> None:
    """Marks the announced pages of patterns that are given up, or used again."""
    for pairs, is_given_up in ((counted.ended, True), (counted.again, False)):
        for site in sorted({site for site, _ in pairs}):
            _mark(connection, site, {pattern for own, pattern in pairs if own == site}, given_up=is_given_up)


def write(connection: Connection, counted: Counted) -> None:
    """Writes the counts."""
    for site, pattern in sorted(counted.fruitful):
        connection.execute(delete(url_patterns).where(url_patterns.c.site == site, url_patterns.c.pattern == pattern))
    upsert(connection, url_patterns, ["site", "pattern"], counted.rows, _CHANGES)
    for site in sorted(counted.new):
        connection.execute(_tidied(site))


def given_up(connection: Connection, site: str | None = None) -> list[GivenUp]:
    """Returns the patterns that are given up, of one site or of all: by site, the oldest first."""
    query = select(url_patterns.c.site, url_patterns.c.pattern, url_patterns.c.given_up_at).where(
        url_patterns.c.given_up_at.is_not(None)
    )
    if site is not None:
        query = query.where(url_patterns.c.site == site)
    rows = connection.execute(query.order_by(url_patterns.c.site, url_patterns.c.given_up_at, url_patterns.c.pattern))
    return [GivenUp(row.site, row.pattern, row.given_up_at) for row in rows]


def load_kinds(connection: Connection, site: str | None = None) -> list[RejectedPattern]:
    """Returns the directories of which fewer addresses are fetched because their pages are of one kind, of one site or
    of all: by site, those with the most visits first."""
    query = select(
        url_patterns.c.site, url_patterns.c.pattern, url_patterns.c.kind, url_patterns.c.visits_without_article
    )
    query = query.where(url_patterns.c.kind.is_not(None), url_patterns.c.visits_without_article > FREE)
    if site is not None:
        query = query.where(url_patterns.c.site == site)
    order = (url_patterns.c.site, url_patterns.c.visits_without_article.desc(), url_patterns.c.pattern)
    return [RejectedPattern(*row) for row in connection.execute(query.order_by(*order))]


def allowed(connection: Connection, site: str, urls: Mapping[str, str], now: datetime) -> set[str]:
    """Returns the keys to fetch of the never-fetched addresses `urls` of a site: all whose pattern is not given up and,
    for each given-up pattern, one address a day (UTC), which this call uses up. Of a directory whose pages are of one
    kind it returns a share (newscrawl.scheduling.rejected_patterns)."""
    if not urls:
        return set()
    today = now.astimezone(UTC).date()
    columns = (url_patterns.c.site, url_patterns.c.pattern, url_patterns.c.kind, url_patterns.c.visits_without_article)
    rows = connection.execute(
        select(*columns, url_patterns.c.given_up_at).where(
            url_patterns.c.site == site, or_(url_patterns.c.given_up_at.is_not(None), url_patterns.c.kind.is_not(None))
        )
    ).all()
    barred = {row.pattern for row in rows if row.given_up_at is not None}
    of_kinds = [row for row in rows if row.kind is not None and row.visits_without_article > FREE]
    asked = asked_for(urls, {row.pattern: RejectedPattern(*row[:4]) for row in of_kinds}, today)
    if not barred:
        return asked
    of_keys = {key: pattern_of(url) for key, url in urls.items() if key in asked}
    kept = {key for key, pattern in of_keys.items() if pattern not in barred}
    first = {pattern: key for key, pattern in reversed(of_keys.items()) if pattern in barred}
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


def _mark(connection: Connection, site: str, which: set[str], *, given_up: bool) -> None:
    """Marks the announced pages of these patterns as given up, or as `found` again."""
    is_given_up = (pages.c.state == "failed") & (pages.c.failure_kind == GIVEN_UP)
    mine = (pages.c.site == site) & ((pages.c.state == "found") if given_up else is_given_up)
    rows = connection.execute(select(pages.c.id, pages.c.url).where(mine))
    numbers = [row.id for row in rows if pattern_of(row.url) in which]
    values = {"state": "failed", "failure_kind": GIVEN_UP} if given_up else {"state": "found", "failure_kind": None}
    for chunk in chunks(numbers):
        connection.execute(update(pages).where(pages.c.id.in_(chunk)).values(**values, next_due=None))


def _tidied(site: str) -> Delete:
    """Returns what deletes the patterns beyond the limit of a site."""
    order = (
        url_patterns.c.given_up_at.is_not(None).desc(),
        url_patterns.c.visits_without_article.desc(),
        url_patterns.c.last_visit.desc(),
        url_patterns.c.pattern.desc(),
    )
    mine = url_patterns.c.site == site
    least = select(url_patterns.c.pattern).where(mine).order_by(*order).offset(MAX_PATTERNS)
    return delete(url_patterns).where(mine, url_patterns.c.pattern.in_(least))


def _first_given_up(stored: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(stored, new)


_CHANGES: Final = {
    **dict.fromkeys(("visits_without_article", "last_visit", "last_probe", "kind"), incoming),
    "given_up_at": _first_given_up,
}
_ASK: Final = "SELECT site, pattern, visits_without_article, given_up_at IS NOT NULL, kind FROM url_patterns WHERE "
_SITES: Final = "site IN (SELECT value FROM json_each(:sites))"
_ON_SQLITE: Final = f"{_ASK} {_SITES} AND pattern IN (SELECT value FROM json_each(:patterns))"  # noqa: S608  constants
_ON_POSTGRESQL: Final = f"{_ASK} site = ANY(%(sites)s) AND pattern = ANY(%(patterns)s)"
