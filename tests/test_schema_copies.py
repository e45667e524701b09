"""Databases of tests (tests/support/schema.py) are equal to those that the revisions build, and wait for no disk."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import schema
from sqlalchemy import text

from newscrawl.errors import SchemaError
from newscrawl.publishing.search import sqlite
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write

OFF, NORMAL = 0, 1
"""Values of SQLite's pragma `synchronous`."""


def dump(file: Path) -> list[str]:
    """Returns all that a file holds, without the identity of its installation, which is made at random."""
    with closing(sqlite3.connect(file)) as connection:
        rows = [line for line in connection.iterdump() if not line.startswith('INSERT INTO "sites"')]
        return [*rows, str(connection.execute("PRAGMA journal_mode").fetchone())]


def test_a_copy_is_what_the_revisions_build(tmp_path: Path) -> None:
    migrations.upgrade(f"sqlite:///{tmp_path}/copy.db")
    schema.real_upgrade(f"sqlite:///{tmp_path}/built.db")
    assert dump(tmp_path / "copy.db") == dump(tmp_path / "built.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["built.db", "copy.db"]


def test_a_file_that_is_there_is_left_to_the_revisions(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "notes.db")) as connection:
        connection.execute("CREATE TABLE notes (id INTEGER)")
    with pytest.raises(SchemaError, match="something else"):
        migrations.upgrade(f"sqlite:///{tmp_path}/notes.db")


def synchronous(folder: Path) -> tuple[int, int]:
    """Returns the pragma of a new database and of a search index."""
    url = f"sqlite:///{folder}/news.db"
    migrations.upgrade(url)
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        of_database = connection.execute(text("PRAGMA synchronous")).scalar_one()
    with closing(sqlite._opened(folder / "news.index")) as opened:
        return of_database, opened.execute("PRAGMA synchronous").fetchone()[0]


def test_databases_of_tests_do_not_wait_for_the_disk(tmp_path: Path) -> None:
    assert synchronous(tmp_path) == (OFF, OFF)


def test_as_shipped_the_revisions_build_a_database_that_waits_for_the_disk_at_checkpoints(
    tmp_path: Path, real_upgrade: None
) -> None:
    assert migrations.upgrade is schema.real_upgrade
    assert synchronous(tmp_path) == (NORMAL, NORMAL)
