"""The sources of sites, and the hosts that answer for them with their robots.txt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, func, select

from newscrawl.crawling.scheduling.robots import Robots, authority_of, decode
from newscrawl.model.identity import registrable_domain
from newscrawl.model.identity.domains import one_address
from newscrawl.storage.engine.sql import rows_among
from newscrawl.storage.frontier.hosts import is_resting, robots_of, times_of
from newscrawl.storage.tables.frontier import hosts, sources

SOURCES: Final = 200
"""Sources of a site that its screen shows."""
HOSTS: Final = 20
RESTING: Final = 100
MAX_ROBOTS: Final = 20_000
"""Characters of a robots.txt that are reported."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of a site, with its numbers since it was first seen.

    `interval` is in seconds. `failures` counts the latest visits in a row that failed; `failing_since` is the first of
    them, `failure_kind` the reason of the last. The source is not read before `not_before`: it asked for that, or it is
    paused because reading it did harm. It is `retired` if it is requested rarely, only to see whether it is back.
    `named` counts the addresses in all its answers, `new` those that no source had named before. `host_failures` are
    requests in a row that its host answered with a 429 or 5xx, or not at all; the host gets no request until
    `host_rests_until`: it asked for a pause (Retry-After), or failed requests made one.
    """

    site: str
    url: str
    kind: str
    interval: float | None
    failures: int
    failure_kind: str | None
    failing_since: datetime | None
    last_status: int | None
    last_fetched: datetime | None
    last_new: datetime | None
    next_due: datetime | None
    not_before: datetime | None
    retired_at: datetime | None
    moved_to: str | None
    watermark: datetime | None
    etag: str | None
    last_modified: str | None
    answers: int
    named: int
    new: int
    unusable: int
    host_failures: int
    host_rests_until: datetime | None

    @property
    def next_request(self) -> datetime | None:
        """When the source is requested next: when it is due, and not while its host rests. None if it is read with its
        index."""
        return None if self.next_due is None else max(self.next_due, self.host_rests_until or self.next_due)


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """The robots.txt of a host as it is in force. `reading` "rules" obeys `text`, "allow" and "disallow" hold for all
    addresses. `allows_front_page` is whether newscrawl may read the host's front page, and `crawl_delay` the seconds
    between two requests that the file asks for. `good_at` is when the rules were last read; `reason` says why the
    latest reading failed."""

    reading: str
    status: int | None
    fetched_at: datetime
    expires_at: datetime
    good_at: datetime | None
    failures: int
    reason: str
    text: str
    is_cut: bool
    allows_front_page: bool
    crawl_delay: float | None


@dataclass(frozen=True, slots=True)
class Host:
    """A host, or a registrable domain (`domain:`). `backoff`, `crawl_delay` and `latency` are in seconds. A host that
    failed gets no request before `not_before`. When it got its last request is known if it has not failed and no
    process has it now."""

    key: str
    last_request_at: datetime | None
    backoff: float | None
    crawl_delay: float | None
    latency: float | None
    not_before: datetime | None
    failures: int
    requests_today: int
    robots: RobotsFile | None
    rules: Robots | None
    """The rules of `robots`."""

    @property
    def resting_until(self) -> datetime:
        """`not_before` of a host that failed. Raises ValueError for another."""
        if self.not_before is None:
            raise ValueError(f"{self.key} does not rest")
        return self.not_before


_OF_HOST: Final = tuple(column for column in hosts.c if not column.name.startswith("robots_"))
_STORED: Final = tuple(sources.c[name] for name in Source.__dataclass_fields__ if name in sources.c)


def failing_sources(connection: Connection, site: str | None = None) -> list[Source]:
    """Returns the sources whose latest visit failed, of one site (None: of all), by site and address."""
    of_site = () if site is None else (sources.c.site == site,)
    return _read(connection, sources.c.failures > 0, *of_site)


def sources_at(connection: Connection, keys: Sequence[str]) -> list[Source]:
    """Returns the source at an address with these URL keys, once for each site that reads it."""
    return _read(connection, sources.c.url_key.in_(keys))


def sources_of(connection: Connection, site: str) -> list[Source]:
    """Returns the sources of a site that have visits of their own, by address."""
    return _read(connection, sources.c.site == site, sources.c.next_due.is_not(None))


def first_sources(connection: Connection, site: str) -> tuple[list[Source], int]:
    """Returns the sources of a site, failing ones first, then those that were due the longest, at most `SOURCES`; and
    how many are left out."""
    order = (sources.c.failures.desc(), sources.c.next_due, sources.c.id)
    found = _read(connection, sources.c.site == site, order=order, limit=SOURCES)
    number = connection.execute(select(func.count()).select_from(sources).where(sources.c.site == site)).scalar_one()
    return found, number - len(found)


def _read(
    connection: Connection,
    *which: ColumnElement[bool],
    order: Iterable[ColumnElement[Any]] = (sources.c.site, sources.c.url),
    limit: int | None = None,
) -> list[Source]:
    rows = connection.execute(select(*_STORED).where(*which).order_by(*order).limit(limit)).all()
    resting = host_rests(connection, [row.url for row in rows])
    found = []
    for row in rows:
        failures, until = resting.get(domain_of(row.url), (0, None))
        found.append(Source(**row._asdict(), host_failures=failures, host_rests_until=until))
    return found


def domain_of(url: str) -> str:
    """Returns the key in the table `hosts` of the domain whose delay holds for an address."""
    return f"domain:{one_address(registrable_domain(url))}"


def host_rests(connection: Connection, urls: Iterable[str]) -> dict[str, tuple[int, datetime | None]]:
    """Returns the failures in a row, and the end of the rest, of the domains of these addresses."""
    query = select(hosts.c.key, hosts.c.failures, hosts.c.next_at)
    return {
        row.key: (row.failures, datetime.fromtimestamp(row.next_at, UTC) if row.next_at is not None else None)
        for row in rows_among(connection, query, hosts.c.key, map(domain_of, urls))
    }


def hosts_of(connection: Connection, urls: Iterable[str], agent: str, now: datetime) -> tuple[Sequence[Host], int]:
    """Returns the stored hosts of the addresses and their registrable domains, each once, at most `HOSTS`; and how many
    are left out. `agent` is the user agent whose groups of robots.txt hold."""
    keys = list(dict.fromkeys(key for url in urls for key in _keys(url)))
    rows = {row.key: row for row in connection.execute(select(hosts).where(hosts.c.key.in_(keys)))}
    stored = [rows[key] for key in keys if key in rows]
    return [_host(row, now, *_robots(row, agent)) for row in stored[:HOSTS]], len(stored[HOSTS:])


def resting_hosts(connection: Connection, now: datetime) -> Sequence[Host]:
    """Returns the hosts that rest, the longest first; at most `RESTING`."""
    query = select(*_OF_HOST).where(is_resting(now)).order_by(hosts.c.next_at.desc()).limit(RESTING)
    return [_host(row, now, None, None) for row in connection.execute(query)]


def _host(row: Row[Any], now: datetime, file: RobotsFile | None, rules: Robots | None) -> Host:
    asked_at, rests_until = times_of(row, now)
    delays = (row.backoff, row.crawl_delay, row.latency)
    return Host(row.key, asked_at, *delays, rests_until, row.failures, row.requests_today, file, rules)


def _robots(row: Row[Any], agent: str) -> tuple[RobotsFile | None, Robots | None]:
    robots = robots_of(row) if "://" in row.key else None
    if robots is None:
        return None, None
    text = decode(robots.body)
    file = RobotsFile(
        robots.reading,
        robots.status,
        robots.fetched_at,
        robots.expires_at,
        robots.good_at,
        robots.failures,
        robots.reason,
        text[:MAX_ROBOTS],
        len(text) > MAX_ROBOTS,
        robots.allows(f"{row.key}/", agent),
        robots.crawl_delay(agent),
    )
    return file, robots


def _keys(url: str) -> Iterable[str]:
    try:
        yield authority_of(url)
    except ValueError:
        return
    yield f"domain:{registrable_domain(url)}"
