"""A process whose clock is not that of the database does not crawl, and one with a copy of a database that is crawled
says so: one line each."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fleet_process import FleetProcess, read_log
from patience import PATIENCE, wait_until
from stored_rows import add_numbers

from newscrawl.crawling.runtime.crawl_services import COPY_CRAWLED
from newscrawl.errors import WrongClock
from newscrawl.storage import machines
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.store import open_store

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def see_a_process(url: str, at: datetime) -> None:
    """Stores that a process of another machine was seen at this time."""
    other = CrawlingProcess("other:1", "other", "run", "0.1.0", "none")
    with open_store(url, upgrade=False) as store:
        store.run(machines.register, other, now=at).result(PATIENCE)


@pytest.mark.process
@pytest.mark.parametrize(
    "words", [("newscrawl.cli", "run", "--once"), ("newscrawl.cli", "run"), ("scrapy", "crawl", "site0")], ids=" ".join
)
def test_a_clock_behind_what_is_stored_ends_a_crawl_before_its_first_request(
    make_fleet: Callable[..., FleetProcess], database: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    fleet = make_fleet(sites=1)
    see_a_process(database, datetime.now(UTC) + 3 * MINUTE)
    refused = fleet.command(*words)
    assert refused.returncode == 75
    (line,) = refused.stderr.splitlines()
    assert "and the database has times up to" in line
    assert "set the clock by NTP (timedatectl set-ntp true), or if it is right run `newscrawl db prune`" in line
    assert read_log(tmp_path / "requests.jsonl") == []


@pytest.mark.process
def test_a_copy_with_times_of_the_future_is_crawled_after_a_prune(
    make_fleet: Callable[..., FleetProcess], database: str, tmp_path: Path
) -> None:
    fleet = make_fleet(sites=1)
    at = datetime.now(UTC) + 30 * 24 * HOUR
    see_a_process(database, at)
    with open_store(database, upgrade=False) as store:
        store.run(add_numbers, "site0", at, found=3).result(PATIENCE)
    shown = fleet.command("newscrawl.cli", "db", "prune", "--dry-run")
    assert "1  processes that were seen in the future" in shown.stdout
    assert "1  hours older than 60 days or in the future" in shown.stdout
    assert fleet.command("scrapy", "crawl", "site0").returncode == 75
    assert fleet.command("newscrawl.cli", "db", "prune").returncode == 0
    assert fleet.command("scrapy", "crawl", "site0").returncode == 0
    assert read_log(tmp_path / "requests.jsonl")


@pytest.mark.parametrize(("ahead", "starts"), [(-24 * HOUR, True), (MINUTE, True), (3 * MINUTE, False)])
def test_a_sqlite_database_may_be_older_than_the_clock(tmp_path: Path, ahead: timedelta, starts: bool) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    open_store(url, upgrade=True, crawls=True).close()  # nothing is stored yet
    see_a_process(url, datetime.now(UTC) + ahead)
    if starts:
        open_store(url, upgrade=False, crawls=True).close()
        return
    with pytest.raises(WrongClock):
        open_store(url, upgrade=False, crawls=True)
    open_store(url, upgrade=False).close()  # what does not crawl may repair it


@pytest.mark.postgresql
@pytest.mark.parametrize(("off", "starts"), [(-1, True), (1, True), (-3, False), (3, False)])
def test_a_clock_of_a_postgresql_server_must_agree(
    empty_postgresql: str, monkeypatch: pytest.MonkeyPatch, off: int, starts: bool
) -> None:
    """What other machines have stored does not matter there."""
    open_store(empty_postgresql, upgrade=True).close()
    see_a_process(empty_postgresql, datetime.now(UTC) + HOUR)
    stated = datetime.now(UTC) + off * MINUTE
    monkeypatch.setattr(machines, "time_of", lambda _connection: stated)
    if starts:
        open_store(empty_postgresql, upgrade=False, crawls=True).close()
        return
    with pytest.raises(WrongClock, match=f"the database's {stated:%Y-%m-%d %H:%M:%S}: set both clocks by NTP"):
        open_store(empty_postgresql, upgrade=False, crawls=True)


def crawl(fleet: FleetProcess, *words: str, **settings: str) -> str:
    """Runs a command to its end. Returns its log."""
    done = fleet.command(*words, **settings)
    assert done.returncode in {0, 75}, done.stderr  # 75: the site is crawled by the other process
    return done.stdout + done.stderr


def copied(database: Path, place: Path) -> str:
    """Copies a database that is in use. Returns the address of the copy."""
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(place)) as new:
        old.backup(new)
    return f"sqlite:///{place}"


def test_only_a_copy_of_the_database_is_warned_of(
    make_fleet: Callable[..., FleetProcess], tmp_path: Path, database: str
) -> None:
    fleet = make_fleet(sites=1, world={"mean_gap": 1e9, "pleas": 0.0}, TMPDIR=str(tmp_path))
    fleet.start()
    wait_until(lambda: len(read_log(tmp_path / "requests.jsonl")) >= 3)
    assert COPY_CRAWLED not in (fleet.folder / "run.log").read_text("utf-8")
    copy = copied(tmp_path / "fleet.db", tmp_path / "copy.db")
    assert COPY_CRAWLED in crawl(fleet, "newscrawl.cli", "run", "--once", NEWSCRAWL_DATABASE_URL=copy)
    same = f"sqlite:///{tmp_path}/same.db"
    (tmp_path / "same.db").symlink_to(tmp_path / "fleet.db")
    assert COPY_CRAWLED not in crawl(fleet, "scrapy", "crawl", "site0", NEWSCRAWL_DATABASE_URL=same)
    assert fleet.stop()[0] == 0
    assert COPY_CRAWLED not in crawl(fleet, "newscrawl.cli", "run", "--once", NEWSCRAWL_DATABASE_URL=copy)
