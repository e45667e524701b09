"""kill -9 at every failpoint and at random moments: every article once, nothing lost, the database intact.

A small part of `python -m benchmarks.kill`, which does the same 50 times over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

import pytest
from crash_recovery import FAILPOINTS, CrashSite, kill_at_failpoint, kill_at_random
from databases import sqlite_databases

from newscrawl.testing.services.postgresql import new_database

ARTICLES = 25
LONGEST = 3.0


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def databases(request: pytest.FixtureRequest) -> Iterator[Iterator[str]]:
    if request.param == "sqlite":
        with sqlite_databases() as found:
            yield found
        return
    running, template = request.getfixturevalue("postgresql"), request.getfixturevalue("migrated")
    yield (new_database(running, template) for _ in repeat(None))


@pytest.fixture(scope="module")
def site() -> Iterator[CrashSite]:
    with CrashSite(ARTICLES) as site:
        yield site


@pytest.mark.parametrize("failpoint", [name for name in FAILPOINTS if name != f"{FAILPOINTS[0]}:17"])
def test_nothing_is_lost_by_dying_at_a_failpoint(site: CrashSite, databases: Iterator[str], failpoint: str) -> None:
    assert kill_at_failpoint(site, next(databases), failpoint) == []


def test_nothing_is_lost_by_dying_at_random(site: CrashSite, databases: Iterator[str]) -> None:
    assert kill_at_random(site, next(databases), kills=3, seed=7, longest=LONGEST) == []
