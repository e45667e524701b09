"""The pages of a site whose last visit failed, those that failed last first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, func, select

from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.operations import events

LINES: Final = 20
LOOKED_AT: Final = 1_000
"""Pages of a site in a state among which failing ones are looked for, at each of the two ends of the plan: those with
the latest next visits, and those without one. No index has the time of a failure."""
CANDIDATES: Final = 50
"""Failing pages of each look whose events say when they failed."""
STATES: Final = ("failed", "gone", "fetched")
"""The states of a page whose last visit may have failed; one that still shows an article stays fetched."""


@dataclass(frozen=True, slots=True)
class FailingPage:
    """A page whose last visit failed with the reason code `failure`, at `failed_at` (None if no event of it is kept),
    and `failures` times in a row. `status` is that of the last answer. Without `next_due` no visit is planned."""

    url: str
    state: str
    failure: str | None
    status: int | None
    failures: int
    failed_at: datetime | None
    next_due: datetime | None


def newest(connection: Connection, site: str) -> Sequence[FailingPage]:
    """Returns the pages of a site that failed last, the newest failure first; at most `LINES`. Pages without a
    known time come last."""
    found: dict[str, FailingPage] = {}
    for state in STATES:
        for has_visit in (False, True):
            found |= _some(connection, site, state, has_visit=has_visit)
    times = _failure_times(connection, found)
    lines = [replace(line, failed_at=times.get((key, line.failure))) for key, line in found.items()]
    return sorted(lines, key=_newest_first, reverse=True)[:LINES]


def _newest_first(line: FailingPage) -> tuple[bool, datetime, str]:
    return line.failed_at is not None, line.failed_at or datetime.min.replace(tzinfo=UTC), line.url


def _some(connection: Connection, site: str, state: str, *, has_visit: bool) -> Mapping[str, FailingPage]:
    """Returns failing pages by URL key. The order of both looks is that of the index of site, state and next visit,
    read from its end, so that no more rows are read than the limit says."""
    of_state = select(pages).where(pages.c.site == site, pages.c.state == state)
    if has_visit:
        of_state = of_state.where(pages.c.next_due.is_not(None))
    some = of_state.order_by(pages.c.next_due.desc().nulls_first()).limit(LOOKED_AT).subquery()
    query = select(some).where(some.c.failures > 0).limit(CANDIDATES)
    return {row.url_key: _line(row) for row in connection.execute(query)}


def _line(row: Any) -> FailingPage:
    return FailingPage(row.url, row.state, row.failure_kind, row.last_status, row.failures, None, row.next_due)


def _failure_times(connection: Connection, keys: Iterable[str]) -> Mapping[tuple[str, str | None], datetime]:
    """Returns the last time of each kind of event, by URL key and kind. An address keeps few events."""
    found: dict[tuple[str, str | None], datetime] = {}
    for chunk in chunks(sorted(keys)):
        found |= _times_of(connection, chunk)
    return found


def _times_of(connection: Connection, keys: Collection[str]) -> Mapping[tuple[str, str | None], datetime]:
    read = events.c
    last = select(read.url_key, read.kind, func.max(read.id).label("id")).where(read.url_key.in_(keys))
    ids = last.group_by(read.url_key, read.kind).subquery()
    query = select(read.url_key, read.kind, read.at).join(ids, ids.c.id == read.id)
    return {(row.url_key, row.kind): row.at for row in connection.execute(query)}
