"""Reports the state of sources: which fail, and the history of one source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, select

from newscrawl.identity import registrable_domain
from newscrawl.identity.domains import one_address
from newscrawl.storage.engine.sql import rows_among
from newscrawl.storage.tables.frontier import hosts, sources


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """The numbers of a source of a site since it was first seen.

    `failures` counts the latest visits in a row that failed; `failing_since` is the first of them, `failure_kind` the
    reason of the last. The source is not read before `not_before`: it asked for that, or it is paused because reading
    it did harm. `named` counts the addresses in all its answers, `new` those that no source had named before.
    """

    site: str
    url: str
    kind: str
    failures: int
    failure_kind: str | None
    failing_since: datetime | None
    last_status: int | None
    last_fetched: datetime | None
    next_due: datetime | None
    not_before: datetime | None
    watermark: datetime | None
    etag: str | None
    last_modified: str | None
    answers: int
    named: int
    new: int
    unusable: int
    host_failures: int = 0
    """Requests in a row that its host answered with a 429 or 5xx, or not at all."""
    host_rests_until: datetime | None = None
    """Until when its host gets no request: it asked for a pause (Retry-After), or failed requests made one."""

    @property
    def next_request(self) -> datetime | None:
        """When the source is requested next: when it is due, and not while its host rests. None if it is read with its
        index."""
        return None if self.next_due is None else max(self.next_due, self.host_rests_until or self.next_due)


def failing_sources(connection: Connection) -> list[SourceStatus]:
    """Returns the sources whose latest visit failed, by site and address."""
    return _statuses(connection, sources.c.failures > 0)


def sources_at(connection: Connection, keys: Sequence[str]) -> Sequence[SourceStatus]:
    """Returns the source at an address with these URL keys, once for each site that reads it."""
    return _statuses(connection, sources.c.url_key.in_(keys))


def sources_of(connection: Connection, site: str) -> list[SourceStatus]:
    """Returns the sources of a site that have visits of their own."""
    return _statuses(connection, (sources.c.site == site) & sources.c.next_due.is_not(None))


def _statuses(connection: Connection, which: ColumnElement[bool]) -> list[SourceStatus]:
    names = [name for name in SourceStatus.__dataclass_fields__ if name in sources.c]
    query = select(*(sources.c[name] for name in names))
    rows = connection.execute(query.where(which).order_by(sources.c.site, sources.c.url)).all()
    resting = host_rests(connection, [row.url for row in rows])
    found = []
    for row in rows:
        failures, until = resting.get(domain_of(row.url), (0, None))
        values = {name: getattr(row, name) for name in names}
        found.append(SourceStatus(**values, host_failures=failures, host_rests_until=until))
    return found


def domain_of(url: str) -> str:
    """Returns the key in the table `hosts` of the domain whose delay holds for an address."""
    return f"domain:{one_address(registrable_domain(url))}"


def host_rests(connection: Connection, urls: Sequence[str]) -> dict[str, tuple[int, datetime | None]]:
    """Returns the failures in a row, and the end of the rest, of the domains of these addresses."""
    found: dict[str, tuple[int, datetime | None]] = {}
    for row in rows_among(connection, select(hosts), hosts.c.key, map(domain_of, urls)):
        until = datetime.fromtimestamp(row.next_at, UTC) if row.next_at is not None else None
        found[row.key] = row.failures, until
    return found
