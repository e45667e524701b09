"""Databases wait for the disk at checkpoints, and those of tests (tests/support/disk_waits.py) do not."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import disk_waits
from sqlalchemy import text

from newscrawl.publishing.search import sqlite
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write

OFF, NORMAL = 0, 1
"""Values of the pragma, as SQLite numbers them."""


def modes(folder: Path) -> tuple[int, int]:
    """Returns the pragma of a database and of a search index."""
    url = f"sqlite:///{folder}/news.db"
    migrations.upgrade(url)
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        of_database = connection.execute(text("PRAGMA synchronous")).scalar_one()
    with closing(sqlite._opened(folder / "news.index")) as opened:
        return of_database, opened.execute("PRAGMA synchronous").fetchone()[0]


def test_a_database_and_its_index_wait_for_the_disk_at_checkpoints(tmp_path: Path) -> None:
    with disk_waits.uninstalled():
        assert modes(tmp_path) == (NORMAL, NORMAL)


def test_those_of_tests_do_not(tmp_path: Path) -> None:
    assert modes(tmp_path) == (OFF, OFF)
