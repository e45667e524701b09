"""Searching does not change the index. An index that is missing, of another version or damaged is reported."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from newscrawl.errors import StorageError
from newscrawl.search.index.sqlite import SqliteIndex, existing_index


def test_a_missing_index_is_not_made(tmp_path: Path) -> None:
    assert existing_index(tmp_path / "none") is None
    assert list(tmp_path.iterdir()) == []


def test_an_existing_index_cannot_be_written(tmp_path: Path) -> None:
    SqliteIndex(tmp_path / "index").close()
    found = existing_index(tmp_path / "index")
    assert found is not None
    with closing(found):
        assert found.reached() == 0
        with pytest.raises(StorageError, match="readonly"), found.writing() as transaction:
            transaction.clear()


def test_an_index_of_another_version_is_left_alone(tmp_path: Path) -> None:
    SqliteIndex(tmp_path / "index").close()
    with closing(sqlite3.connect(tmp_path / "index")) as connection:
        connection.execute("UPDATE state SET version = 1")
        connection.commit()
    assert existing_index(tmp_path / "index") is None


def test_a_damaged_index_is_an_error_of_one_line(tmp_path: Path) -> None:
    (tmp_path / "index").write_bytes(b"no database " * 500)
    with pytest.raises(StorageError, match="cannot open search index"):
        existing_index(tmp_path / "index")
