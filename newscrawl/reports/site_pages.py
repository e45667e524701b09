"""Pages of a site: its latest addresses, and the pages whose last visit failed, those that failed last first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, func, select

from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.tables.articles import captures, pages
from newscrawl.storage.tables.operations import events

ADDRESSES: Final = 10
PAGES: Final = 2_000
"""Pages of a site without an archive among which its latest addresses are looked for."""
LINES: Final = 20
"""Failing pages that are reported."""
LOOKED_AT: Final = 1_000
"""Pages of a site in a state among which failing ones are looked for, at each of the two ends of the plan: those with
the latest next visits, and those without one. No index has the time of a failure."""
CANDIDATES: Final = 50
"""Failing pages of each look whose events say when they failed."""
STATES: Final = ("failed", "gone", "fetched")
"""The states of a page whose last visit may have failed; one that still shows an article stays fetched."""


@dataclass(frozen=True, slots=True)
class Address:
    """A lately fetched address of a site, and what came of it: an article, or a reason code. `is_article` is whether
    the site's rule takes it for an article, `is_allowed` whether the robots.txt in force allows it (None: not
    known)."""

    url: str
    fetched_at: datetime | None
    article_id: int | None
    failure: str | None
    is_article: bool | None = None
    is_allowed: bool | None = None


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


def latest_addresses(connection: Connection, site: str) -> Sequence[Address]:
    """Returns the addresses of a site that were fetched last, the newest first; at most `ADDRESSES`."""
    query = select(captures.c.url, captures.c.fetched_at, captures.c.article_id, captures.c.failure)
    query = query.where(captures.c.site == site).order_by(captures.c.fetched_at.desc()).limit(ADDRESSES)
    rows = connection.execute(query).all()
    if not rows:
        some = select(pages).where(pages.c.site == site, pages.c.state != "found").limit(PAGES).subquery()
        query = select(some.c.url, some.c.last_fetched, some.c.article_id, some.c.failure_kind)
        rows = connection.execute(query.order_by(some.c.last_fetched.desc()).limit(ADDRESSES)).all()
    return [Address(*row) for row in rows]


def failing_pages(connection: Connection, site: str) -> Sequence[FailingPage]:
    """Returns the pages of a site that failed last, the newest failure first; at most `LINES`. Pages without a
    known time come last."""
    found: dict[str, FailingPage] = {}
    for state in STATES:
        for has_visit in (False, True):
            found |= _some(connection, site, state, has_visit=has_visit)
    times = _failure_times(connection, found)
    lines = [replace(line, failed_at=times.get((key, line.failure))) for key, line in found.items()]
    lines.sort(key=lambda line: (line.failed_at or datetime.min.replace(tzinfo=UTC), line.url), reverse=True)
    return lines[:LINES]


def _some(connection: Connection, site: str, state: str, *, has_visit: bool) -> Mapping[str, FailingPage]:
    """Returns failing pages by URL key. The order of both looks is that of the index of site, state and next visit,
    read from its end, so that no more rows are read than the limit says."""
    of_state = select(pages).where(pages.c.site == site, pages.c.state == state)
    if has_visit:
        of_state = of_state.where(pages.c.next_due.is_not(None))
    some = of_state.order_by(pages.c.next_due.desc().nulls_first()).limit(LOOKED_AT).subquery()
    query = select(some).where(some.c.failures > 0).limit(CANDIDATES)
    return {
        row.url_key: FailingPage(
            row.url, row.state, row.failure_kind, row.last_status, row.failures, None, row.next_due
        )
        for row in connection.execute(query)
    }


def _failure_times(connection: Connection, keys: Iterable[str]) -> Mapping[tuple[str, str | None], datetime]:
    """Returns the last time of each kind of event, by URL key and kind. An address keeps few events."""
    read = events.c
    last = select(func.max(read.id)).group_by(read.url_key, read.kind)
    found: dict[tuple[str, str | None], datetime] = {}
    for chunk in chunks(sorted(keys)):
        ids = last.where(read.url_key.in_(chunk))
        query = select(read.url_key, read.kind, read.at).where(read.id.in_(ids))
        found |= {(row.url_key, row.kind): row.at for row in connection.execute(query)}
    return found
