"""Fixtures that tests of every room use."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from leaks import leaks_after

from benchmarks.postgresql import drop_database, new_database, server
from newscrawl.storage import migrations

MEASURABLE_SECONDS: Final = 0.004
"""CPU time below which the clock's noise would decide."""


@pytest.fixture(scope="session", autouse=True)
def nothing_leaks() -> Iterator[None]:
    """After the last test no thread of ours runs, no database is open and no process is left."""
    yield
    found = leaks_after()
    assert not found, f"the tests left behind: {'; '.join(found)}"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a real PostgreSQL server, started for this session and without fsync."""
    with server(durable=False) as address:
        yield address


@pytest.fixture(scope="session")
def migrated(postgresql: str) -> str:
    """The name of a database with the schema, to be copied."""
    address = new_database(postgresql)
    migrations.upgrade(address)
    return address.partition("?")[0].rpartition("/")[2]


@pytest.fixture
def empty_postgresql(postgresql: str) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    address = new_database(postgresql)
    yield address
    drop_database(postgresql, address)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with the schema: every test that asks for it runs on both kinds."""
    if request.param == "sqlite":
        migrations.upgrade(address := f"sqlite:///{tmp_path / 'newscrawl.db'}")
        yield address
        return
    running = request.getfixturevalue("postgresql")
    address = new_database(running, request.getfixturevalue("migrated"))
    yield address
    drop_database(running, address)


@pytest.fixture
def doubling() -> Callable[..., None]:
    """Asserts that a function's time grows in proportion to its input: `doubling(function, make_input, n)`.

    `make_input(n)` builds an input of size n. `n` is raised until one call is long enough to measure; then the best of
    several calls at n and 2n are compared. The factor is generous: a quadratic function shows 4. CPU time of this
    process is measured, so that a busy machine does not decide.
    """

    def check(
        function: Callable[[Any], object], make_input: Callable[[int], Any], n: int, *, factor: float = 2.8
    ) -> None:
        ratio = 0.0
        for _ in range(5):  # a quadratic function fails every time, noise does not
            n, small = _measurable(function, make_input, n)
            ratio = _best(function, make_input(2 * n)) / small
            if ratio < factor:
                return
        pytest.fail(f"time grew {ratio:.1f} times when the input doubled from {n} (at most {factor} allowed)")

    return check


def _measurable(function: Callable[[Any], object], make_input: Callable[[int], Any], n: int) -> tuple[int, float]:
    for _ in range(6):
        seconds = _best(function, make_input(n))
        if seconds >= MEASURABLE_SECONDS:
            return n, seconds
        n *= 2
    return n // 2, seconds


def _best(function: Callable[[Any], object], value: Any, rounds: int = 4) -> float:
    best = float("inf")
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            start = time.process_time()
            function(value)
            best = min(best, time.process_time() - start)
    finally:
        if was_enabled:
            gc.enable()
    return best
