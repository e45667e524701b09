"""The databases that tests get as copies (tests/support/schema.py) are equal to those that the revisions build."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import schema

from newscrawl.errors import SchemaError
from newscrawl.storage import migrations


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


def test_the_fixture_has_the_revisions_build(real_upgrade: None) -> None:
    assert migrations.upgrade is schema.real_upgrade
