"""The lines about an outage of the database."""

from __future__ import annotations

import logging
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from patience import PATIENCE

from newscrawl.errors import DatabaseLocked
from newscrawl.storage import migrations
from newscrawl.storage.engine import database, errors, writer
from newscrawl.storage.engine.errors import AT_ONCE, REPEATED, REQUESTS_WAIT, WRITES_WAIT, Outage
from newscrawl.storage.removal import blocklist
from newscrawl.storage.store import open_store


class Clock:
    """A monotonic clock that tests set."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(errors, "time", made)
    return made


def fail_for(seconds: float, state: Outage, clock: Clock) -> None:
    state.begin("the disk is full")
    clock.now += seconds
    state.begin("the disk is full")
    state.end()


def test_small_writes_that_succeed_on_a_full_disk_do_not_repeat_the_lines(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    state = Outage()
    with caplog.at_level(logging.WARNING):
        while clock.now < REPEATED - 5:
            fail_for(3, state, clock)
        assert len(caplog.records) == 2
        clock.now += AT_ONCE
        fail_for(3, state, clock)
    assert len(caplog.records) == 4


def test_an_outage_right_after_another_is_logged_if_it_lasts(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    state = Outage()
    with caplog.at_level(logging.WARNING):
        fail_for(3, state, clock)
        fail_for(2 * REPEATED, state, clock)
    assert len(caplog.records) == 4


@pytest.mark.parametrize(("crawls", "meaning"), [(False, WRITES_WAIT), (True, REQUESTS_WAIT)])
def test_only_a_process_that_crawls_says_that_no_requests_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, crawls: bool, meaning: str
) -> None:
    monkeypatch.setattr(errors, "LASTING", 0.0)
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 1)
    monkeypatch.setattr(writer, "LOCK_PATIENCE_S", 0.5)
    file = tmp_path / "news.db"
    address = f"sqlite:///{file}"
    migrations.upgrade(address)
    lock = sqlite3.connect(file, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    with open_store(address, upgrade=False, crawls=crawls) as store, pytest.raises(DatabaseLocked):
        store.run(blocklist.add, ["url:x"], datetime(2026, 11, 21, tzinfo=UTC)).result(PATIENCE)
    lock.close()
    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert line.endswith(f"; {meaning}")
