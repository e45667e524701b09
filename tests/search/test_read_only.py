"""Searching does not change the index. An index that is missing, of another version or damaged is reported."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text

from newscrawl.errors import StorageError
from newscrawl.publishing.search import Filters, open_index, parse_query, update_index
from newscrawl.publishing.search.query_execution import search_read_only
from newscrawl.publishing.search.sqlite import SqliteIndex, existing_index
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import Store


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


def test_an_index_of_other_stemmers_is_built_again(database: str, store: Store, save: Callable[..., int]) -> None:
    saved, reading = save("https://paper.example/1", "Two ferries sailed."), partial(open_reader, database)
    with closing(open_index(database)) as index:
        update_index(index, reading)
    is_file = database.startswith("sqlite")
    engine = make_engine(parse_url(f"{database}-search" if is_file else database), pooled=False)
    with engine.begin() as connection:
        state = "state" if is_file else "newscrawl_search.state"
        connection.execute(text(f"UPDATE {state} SET version = replace(version, 'snowball', 'snow')"))
    with reading() as connection:
        assert search_read_only(database, connection, parse_query("ferry"), Filters(), 10) is None
    with closing(open_index(database)) as index:
        assert index.matches(parse_query("ferry"), Filters(), 10) == []
        assert update_index(index, reading) == 1
        assert [match.article_id for match in index.matches(parse_query("ferry"), Filters(), 10)] == [saved]
