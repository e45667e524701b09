"""Patterns of addresses: how many addresses of a pattern had no new article, and which patterns are given up.

A row exists only for a pattern whose latest first visit found no new article; a new article removes it. Directories
whose pages are of one kind have rows too (newscrawl.crawling.scheduling.rejected_patterns). A site has at most
`MAX_PATTERNS` rows; those with the fewest fruitless addresses are removed first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final, TypeAlias

from sqlalchemy import Connection, Delete, bindparam, delete, func, or_, select, update

from newscrawl.crawling.scheduling.rejected_patterns import FREE, RejectedPattern, asked_for, row_after
from newscrawl.model.identity.patterns import directory_of, pattern_of
from newscrawl.storage.engine.sql import Rule, Values, change_among, incoming, rows_among, upsert
from newscrawl.storage.engine.types import PATTERN_LIMIT, clean_text
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import url_patterns

ENOUGH: Final = 200
"""The number of consecutive addresses without a new article after which a pattern is given up."""
MAX_PATTERNS: Final = 500
"""The most patterns of a site that are stored."""
GIVEN_UP: Final = "discovery/pattern_given_up"
"""Why an announced page is not fetched. It is announced again when its pattern has an article."""


Pair: TypeAlias = tuple[str, str]
"""A site and a pattern."""


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

    fruitless: int = 0
    is_given_up: bool = False
    kind: str | None = None


@dataclass(slots=True)
class Limits:
    """The patterns of which few addresses are fetched: those `given_up`, with the day of the latest attempt, and the
    directories whose pages are of one kind (`kinds`, by site). `probed` has the attempts of this transaction."""

    given_up: dict[Pair, date | None] = field(default_factory=dict)
    kinds: dict[str, dict[str, RejectedPattern]] = field(default_factory=dict)
    probed: dict[Pair, date] = field(default_factory=dict)


KnownPatterns: TypeAlias = Mapping[Pair, Stored]
"""The stored ones of some patterns and directories."""


def load(connection: Connection, visits: Iterable[Visit]) -> KnownPatterns:
    """Returns what is stored of the patterns and directories of these visits."""
    pairs = {pair for visit in visits for pair in (_pattern(visit), _directory(visit))}
    query = select(url_patterns).where(url_patterns.c.site.in_({site for site, _ in pairs}))
    return {
        (row.site, row.pattern): Stored(row.visits_without_article, row.given_up_at is not None, row.kind)
        for row in rows_among(connection, query, url_patterns.c.pattern, (pattern for _, pattern in pairs))
    }


def give_up(known: KnownPatterns, visits: Iterable[Visit]) -> bool:
    """Returns whether `record` would give up a pattern after these fruitless visits, which changes other pages."""
    numbers = Counter(map(_pattern, visits))
    stored = {pair: known.get(pair, Stored()) for pair in numbers}
    return any(not one.is_given_up and one.fruitless + numbers[pair] >= ENOUGH for pair, one in stored.items())


def record(connection: Connection, known: KnownPatterns, visits: Sequence[Visit], now: datetime) -> None:
    """Counts first visits, of which `load` gave what is `known`. A pattern with `ENOUGH` fruitless ones in a row is
    given up, and its announced pages are not fetched. A pattern with a new article is used again, with its pages."""
    of_patterns: dict[Pair, list[bool]] = defaultdict(list)
    of_directories: dict[Pair, list[str | None]] = defaultdict(list)
    for visit in visits:
        of_patterns[_pattern(visit)].append(visit.is_fruitful)
        of_directories[_directory(visit)].append(visit.failure)
    today = now.astimezone(UTC).date()
    rows: list[Values] = []
    over: set[Pair] = set()
    ended: set[Pair] = set()
    again: set[Pair] = set()
    for pair, found in sorted(of_patterns.items()):
        stored, is_fruitful = known.get(pair, Stored()), any(found)
        fruitless = after(stored.fruitless, found)
        is_given_up = stored.is_given_up and not is_fruitful
        if not is_given_up and fruitless >= ENOUGH:
            ended.add(pair)
        if is_fruitful and pair in known:
            over.add(pair)
            if stored.is_given_up and pair not in ended:
                again.add(pair)
        if fruitless:
            tried = today if is_given_up or pair in ended else None
            rows.append(
                _row(pair, fruitless, now) | {"given_up_at": now if pair in ended else None, "last_probe": tried}
            )
    for pair, failures in sorted(of_directories.items()):
        stored = known.get(pair, Stored())
        kind, number = row_after((stored.kind, stored.fruitless), failures)
        if kind is not None:
            rows.append(_row(pair, number, now) | {"kind": kind})
        elif pair in known:
            over.add(pair)
    _mark(connection, ended, given_up=True)
    _mark(connection, again, given_up=False)
    for site, pattern in sorted(over):
        connection.execute(delete(url_patterns).where(url_patterns.c.site == site, url_patterns.c.pattern == pattern))
    upsert(connection, url_patterns, ["site", "pattern"], rows, _CHANGES)
    for site in sorted({row["site"] for row in rows if (row["site"], row["pattern"]) not in known}):
        connection.execute(_tidied(site))


def _pattern(visit: Visit) -> Pair:
    return visit.site, clean_text(pattern_of(visit.url), PATTERN_LIMIT)


def _directory(visit: Visit) -> Pair:
    return visit.site, clean_text(directory_of(visit.url), PATTERN_LIMIT)


def _row(pair: Pair, number: int, now: datetime) -> Values:
    row = {"site": pair[0], "pattern": pair[1], "visits_without_article": number, "last_visit": now}
    return row | dict.fromkeys(("given_up_at", "last_probe", "kind"))


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


def load_limits(connection: Connection, sites: Collection[str]) -> Limits:
    """Returns what limits the first visits of these sites."""
    columns = (url_patterns.c.site, url_patterns.c.pattern, url_patterns.c.kind, url_patterns.c.visits_without_article)
    is_limited = or_(url_patterns.c.given_up_at.is_not(None), url_patterns.c.kind.is_not(None))
    query = select(*columns, url_patterns.c.given_up_at, url_patterns.c.last_probe)
    limits = Limits()
    for row in connection.execute(query.where(url_patterns.c.site.in_(sites), is_limited)):
        if row.given_up_at is not None:
            limits.given_up[row.site, row.pattern] = row.last_probe
        if row.kind is not None and row.visits_without_article > FREE:
            limits.kinds.setdefault(row.site, {})[row.pattern] = RejectedPattern(*row[:4])
    return limits


def allowed(limits: Limits, site: str, urls: Mapping[str, str], now: datetime) -> set[str]:
    """Returns the keys to fetch of the never-fetched addresses `urls` of a site: all whose pattern is not given up and,
    for each given-up pattern, one address a day (UTC), which this call uses up. Of a directory whose pages are of one
    kind it returns a share (newscrawl.crawling.scheduling.rejected_patterns)."""
    today = now.astimezone(UTC).date()
    asked = asked_for(urls, limits.kinds.get(site, {}), today)
    for key in [key for key in urls if key in asked] if limits.given_up else ():
        pair = site, pattern_of(urls[key])
        if pair not in limits.given_up:
            continue
        last = limits.given_up[pair]
        if last is None or last < today:
            limits.given_up[pair] = limits.probed[pair] = today
        else:
            asked.discard(key)
    return asked


def write_probes(connection: Connection, limits: Limits) -> None:
    """Writes for which patterns the address of a day was used up."""
    if limits.probed:
        mine = (url_patterns.c.site == bindparam("of")) & (url_patterns.c.pattern == bindparam("probed"))
        rows = [{"of": site, "probed": pattern, "last_probe": day} for (site, pattern), day in limits.probed.items()]
        connection.execute(update(url_patterns).where(mine), rows)


def after(fruitless: int, visits: Sequence[bool]) -> int:
    """Returns how many visits in a row were fruitless, after these."""
    for is_fruitful in visits:
        fruitless = 0 if is_fruitful else fruitless + 1
    return fruitless


def _mark(connection: Connection, pairs: Collection[Pair], *, given_up: bool) -> None:
    """Marks the announced pages of these patterns as given up, or as `found` again."""
    is_given_up = (pages.c.state == "failed") & (pages.c.failure_kind == GIVEN_UP)
    values = {"state": "failed", "failure_kind": GIVEN_UP} if given_up else {"state": "found", "failure_kind": None}
    numbers: list[int] = []
    for site in sorted({site for site, _ in pairs}):
        mine = (pages.c.site == site) & ((pages.c.state == "found") if given_up else is_given_up)
        rows = connection.execute(select(pages.c.id, pages.c.url).where(mine))
        numbers += [row.id for row in rows if (site, pattern_of(row.url)) in pairs]
    change_among(connection, update(pages).values(**values, next_due=None), pages.c.id, numbers)


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


_CHANGES: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(("visits_without_article", "last_visit", "last_probe", "kind"), incoming),
    "given_up_at": lambda stored, new: func.coalesce(stored, new),
}
