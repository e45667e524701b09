"""Reading a database changes nothing: no file is made, the journal mode stays, the schema is not upgraded."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from patience import PATIENCE
from sqlalchemy import text

from newscrawl import reports
from newscrawl.errors import SchemaError, StorageError
from newscrawl.storage import migrations
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store


def digests(folder: Path) -> dict[str, str]:
    """Every file's name and content."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


@contextmanager
def unchanged(folder: Path) -> Iterator[None]:
    before = digests(folder)
    yield
    assert digests(folder) == before


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A SQLite database with an article, closed."""
    url = f"sqlite:///{tmp_path}/news.db"
    migrations.upgrade(url)
    return url


def test_reading_leaves_every_byte_as_it_was(url, page, tmp_path):
    with open_store(url, upgrade=False) as store:
        store.save(page("https://harbour.example/a", "one"))
    with unchanged(tmp_path), open_reader(url) as connection:
        assert len(list(reports.articles(connection))) == 1


def test_a_reader_cannot_write(url):
    with pytest.raises(StorageError, match="attempt to write a readonly database"), open_reader(url) as connection:
        connection.execute(text("DELETE FROM pages"))


def test_a_command_that_ends_leaves_the_log_of_a_store_that_opened_more_connections(url, page, tmp_path):
    """SQLite deletes the write-ahead log with the last connection of all processes, which it knows by their locks."""
    with open_store(url, upgrade=False) as store:
        store.save(page("https://harbour.example/a", "one")).result(timeout=PATIENCE)
        with store.reading() as first, store.reading() as second:  # connections beside the writer's
            assert first is not second
        look = (
            f"import sqlite3; sqlite3.connect({str(tmp_path / 'news.db')!r}).execute('SELECT 1 FROM pages').fetchall()"
        )
        subprocess.run([sys.executable, "-c", look], check=True, timeout=PATIENCE)
        assert (tmp_path / "news.db-wal").exists()
        store.save(page("https://harbour.example/b", "two")).result(timeout=PATIENCE)
        with closing(sqlite3.connect(tmp_path / "news.db")) as other:
            assert other.execute("SELECT count(*) FROM pages").fetchone() == (2,)


@pytest.mark.parametrize(
    "statement", ["DELETE FROM alembic_version", "UPDATE alembic_version SET version_num = '0000'"]
)
def test_another_schema_is_refused_and_not_upgraded(url, tmp_path, statement):
    with sqlite3.connect(tmp_path / "news.db") as connection:
        connection.execute(statement)
    connection.close()
    with unchanged(tmp_path), pytest.raises(SchemaError), open_reader(url):
        pass


@pytest.mark.parametrize("upgrade", [False, True])
def test_a_database_of_something_else_keeps_its_journal_and_every_byte(tmp_path, upgrade):
    with sqlite3.connect(tmp_path / "photos.db") as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")
    connection.close()
    url = f"sqlite:///{tmp_path}/photos.db"
    with unchanged(tmp_path), pytest.raises(SchemaError, match="something else"):
        open_store(url, upgrade=upgrade)
    with unchanged(tmp_path), pytest.raises(SchemaError, match="something else"), open_reader(url):
        pass


def test_a_database_that_its_user_may_only_read_is_read(url, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)  # root may write everywhere
    with unchanged(tmp_path), open_reader(url) as connection:
        assert list(reports.articles(connection)) == []


def test_a_name_with_signs_that_addresses_use_is_read(tmp_path):
    url = f"sqlite:///{tmp_path}/100% new#1.db"
    open_store(url, upgrade=True).close()
    with open_reader(url) as connection:
        assert list(reports.articles(connection)) == []
