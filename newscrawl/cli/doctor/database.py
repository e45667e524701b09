"""The checks of `newscrawl doctor` on the database: version and tables, a write, disk, statistics, clock."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

from newscrawl.cli.doctor.findings import Finding, Findings, ok, to_do
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import database_of
from newscrawl.storage.machines.registered import compare_clocks
from newscrawl.storage.reports.database_condition import DatabaseCondition, look_at

GIGABYTE: Final = 10**9
MIN_FREE: Final = GIGABYTE
"""Bytes free beside a SQLite database: for its write-ahead log and a day of articles."""
DEADLINE: Final = 12.0
"""Seconds for all checks on the database. PostgreSQL's own limit on a connection is 10."""
ADVICE: Final = "start the database, or correct NEWSCRAWL_DATABASE_URL"


def check_database(config: Config, now: Callable[[], datetime]) -> Findings:
    """Returns the findings on the database. Raises StorageError if it cannot be read."""
    before = now()
    condition = look_at(database_of(config))
    return list(judge(condition, free_beside(condition), before, now()))


def free_beside(condition: DatabaseCondition) -> int | None:
    """Returns the free bytes of the disk of a SQLite database; None for a server, whose disk cannot be seen."""
    return shutil.disk_usage(condition.file.parent).free if condition.file is not None else None


def judge(condition: DatabaseCondition, free: int | None, before: datetime, after: datetime) -> Iterator[Finding]:
    """Yields the findings on a database that answered between two times of this machine's clock (aware). `free` are the
    free bytes of its disk, None if unknown."""
    yield _state(condition)
    yield _disk(condition, free)
    if condition.file is not None:
        yield ok("statistics", "SQLite needs none")
        yield _clock(condition, before, after)
        return
    if condition.without_statistics:
        names = ", ".join(condition.without_statistics[:3])
        yield to_do("statistics", f"never made for {names}", "run ANALYZE in the database, and turn autovacuum on")
    else:
        yield ok("statistics", "made for all large tables")
    yield _clock(condition, before, after)


def _state(condition: DatabaseCondition) -> Finding:
    text = f"{condition.product}, {condition.name}"
    if not condition.exists:
        return ok("database", f"{text}: the first crawl creates it")
    if not condition.is_current:
        return to_do("database", f"{text}: no tables, or those of an older newscrawl", "run `newscrawl db upgrade`")
    if condition.refusal:
        return to_do("database", condition.refusal, "give newscrawl's user the right to write there, and free space")
    return ok("database", f"{text}: a write was tried and undone")


def _disk(condition: DatabaseCondition, free: int | None) -> Finding:
    size = f"the database has {_gb(condition.size)}"
    if free is None:
        return ok("disk", f"{size}; watch the free space on its server")
    text = f"{size}, {_gb(free)} are free"
    if free < max(MIN_FREE, condition.size):
        return to_do("disk", text, "make room: an upgrade or back-up needs as much space again, and at least 1 GB")
    return ok("disk", text)


def _clock(condition: DatabaseCondition, before: datetime, after: datetime) -> Finding:
    if wrong := compare_clocks(before, after, condition.clock, condition.newest):
        return to_do("clock", *wrong)
    if condition.clock is None:
        return ok("clock", "the database uses this machine's clock")
    return ok("clock", f"the database's shows {condition.clock:%Y-%m-%d %H:%M:%S} UTC, this machine's {after:%H:%M:%S}")


def _gb(number: int) -> str:
    return f"{number / GIGABYTE:.2f} GB"
