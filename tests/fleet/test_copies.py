"""A process that crawls with a copy of a database that is crawled says so, and no other process does."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from fleet_process import FleetProcess, read_log
from patience import wait_until

from newscrawl.crawling.runtime.crawl_services import COPY_CRAWLED


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
