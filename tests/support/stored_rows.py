"""All tables, rows of them as a test wants them, and what must hold between them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from sqlalchemy import Connection, select

from newscrawl.storage import tables
from newscrawl.storage.engine.sql import upsert
from newscrawl.storage.engine.types import metadata
from newscrawl.storage.monitoring.hours import Tally
from newscrawl.storage.tables.articles import pages, versions
from newscrawl.storage.tables.frontier import hosts

__all__ = ["add_failures", "add_numbers", "assert_totals_are_true", "host_row", "is_wanted", "metadata", "put_host"]

for _module in iter_modules(tables.__path__, f"{tables.__name__}."):  # `metadata` has what was imported
    import_module(_module.name)


def assert_totals_are_true(connection: Connection) -> None:
    """Fails unless each page names the extractor of the version that it shows, and no other page names one."""
    shown = (versions.c.page_id == pages.c.id) & (versions.c.article_id == pages.c.article_id)
    query = select(pages, versions.c.extractor.label("by"), versions.c.fallback.label("late"))
    for row in connection.execute(query.select_from(pages.outerjoin(versions, shown))):
        assert (row.extractor, row.fallback) == (row.by, row.late), row.url
        assert (row.joined is None) == (row.article_id is None), row.url


def put_host(connection: Connection, key: str, next_at: datetime | None = None, **columns: Any) -> None:
    """Stores the host: the next request may be sent at `next_at`. Other columns of a stored row stay."""
    given = {"next_at": next_at.timestamp() if next_at is not None else None, **columns}
    upsert(connection, hosts, ["key"], [{"key": key, "failures": 0, "requests_today": 0, **given}], given)


def host_row(connection: Connection, key: str) -> Any:
    """Returns the row of a host; None without one."""
    return connection.execute(select(hosts).where(hosts.c.key == key)).one_or_none()


def is_wanted(connection: Connection, key: str) -> bool:
    """Returns whether a process has asked in vain for the host."""
    row = host_row(connection, key)
    return row is not None and row.wanted_until is not None and row.wanted_until > datetime.now(UTC).timestamp()


def add_numbers(connection: Connection, site: str, at: datetime, newest: datetime | None = None, **counts: int) -> None:
    """Adds numbers of a site to the hour of `at`, and that its newest article was fetched at `newest`."""
    tally = Tally()
    for kind, number in counts.items():
        tally.count(site, at, kind, number)
    if newest is not None:
        tally.article(site, newest)
    tally.write(connection)


def add_failures(connection: Connection, failed: Iterable[tuple[str, str]], at: datetime) -> None:
    """Adds requests that ended without a page or source, given as (site, reason code)."""
    tally = Tally()
    for site, code in failed:
        tally.failure(site, at, code)
    tally.write(connection)
