"""A locked SQLite file is reported soon, in one line, with the exit code of a temporary error; and the lines about an
outage of the database."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from sqlalchemy.exc import OperationalError

from newscrawl.errors import DatabaseLocked
from newscrawl.storage import migrations
from newscrawl.storage.engine import database, errors, writer
from newscrawl.storage.engine.errors import (
    AT_ONCE,
    LOCK_PATIENCE_S,
    REPEATED,
    REQUESTS_WAIT,
    WRITES_WAIT,
    Outage,
    RetryPolicy,
)
from newscrawl.storage.reader import open_reader
from newscrawl.storage.removal import blocklist
from newscrawl.storage.store import open_store


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database whose waits are short."""
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 20)
    monkeypatch.setattr(writer, "LOCK_PATIENCE_S", 0.02)
    migrations.upgrade(f"sqlite:///{tmp_path / 'news.db'}")
    return tmp_path / "news.db"


@pytest.fixture
def locked(file: Path) -> Iterator[sqlite3.Connection]:
    """Another process's transaction, in this one."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield connection
    connection.close()


class Clock:
    """Time that passes only where somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def busy(code: int = sqlite3.SQLITE_BUSY) -> OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = code
    return OperationalError("BEGIN IMMEDIATE", {}, error)


@pytest.mark.parametrize(("patience", "attempts"), [(LOCK_PATIENCE_S, 2), (float("inf"), 7)])
def test_the_first_work_tries_a_locked_file_for_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, patience: float, attempts: int
) -> None:
    clock, tried = Clock(), []
    monkeypatch.setattr("newscrawl.storage.engine.errors.time", clock)

    def begin() -> None:
        tried.append(clock.now)
        clock.now += database.BUSY_TIMEOUT_MS / 1000
        raise busy()

    with pytest.raises(OperationalError):
        RetryPolicy(lock_patience=patience).call(begin, sleep=clock.sleep)
    assert len(tried) == attempts
    if attempts == 2:
        assert clock.now < 11


@pytest.mark.usefixtures("locked")
def test_who_waits_is_told_what_to_do_and_nothing_is_logged_twice(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    refused = pytest.raises(DatabaseLocked, match="it is locked by another process; wait until that process has ended")
    with open_store(f"sqlite:///{file}", upgrade=False) as store, caplog.at_level(logging.ERROR), refused:
        store.run(blocklist.everything).result(timeout=PATIENCE)
    assert caplog.records == []


def test_a_file_that_is_locked_for_readers_is_told_in_the_same_way(file: Path) -> None:
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("PRAGMA locking_mode=EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DatabaseLocked, match="cannot read database"), open_reader(f"sqlite:///{file}"):
        pass
    holder.close()


def test_an_error_of_the_callers_function_is_no_outage_of_the_database(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LOCK_PATIENCE_S", PATIENCE)
    tried = []

    def refused(_connection: Any) -> None:
        tried.append(1)
        if len(tried) == 1:
            raise busy()
        raise ValueError("it is the function's")

    with open_store(f"sqlite:///{file}", upgrade=False, retry=RetryPolicy(first_pause=0.001)) as store:
        with pytest.raises(ValueError, match="the function's"):
            store.run(refused).result(timeout=PATIENCE)
        assert not store.is_away


def test_a_store_that_closes_waits_between_its_attempts(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawl.storage.engine.writer.CLOSING_PAUSE_S", 0.05)
    tried: list[float] = []
    begun = threading.Event()

    def later(_connection: Any) -> str:
        tried.append(time.monotonic())
        begun.set()
        if tried[-1] - tried[0] < 0.15:
            raise busy(sqlite3.SQLITE_IOERR)
        return "done"

    store = open_store(f"sqlite:///{file}", upgrade=False, retry=RetryPolicy(first_pause=60.0, longest_pause=60.0))
    done = store.run(later)
    begun.wait(PATIENCE)
    store.close()
    assert done.result(timeout=PATIENCE) == "done"
    assert len(tried) <= 5


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
