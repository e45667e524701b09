"""Numbers of sites by hour, as crawls store them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from newscrawl.storage.monitoring.hours import Tally
from newscrawl.storage.reader import Connection


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
