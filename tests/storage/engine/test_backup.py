"""A back-up made while a crawl writes is whole, and a crawl goes on from it."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing

import pytest
from patience import PATIENCE

from newscrawl.errors import MissingDatabase, StorageError
from newscrawl.storage import open_store
from newscrawl.storage.engine.backup import back_up
from newscrawl.storage.reports import articles

SITE = "https://harbour.example"


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'news.db'}"


def stored(url):
    with open_store(url, upgrade=False) as store, store.reading() as connection:
        return {article.url for article in articles(connection)}


def test_a_back_up_made_during_writing_is_whole_and_can_be_restored(url, page, tmp_path):
    writing, enough, copy = threading.Event(), threading.Event(), tmp_path / "copy.db"
    before: list[str] = []

    def write() -> None:
        with open_store(url, upgrade=True, batch_size=5, max_wait=0.01) as store:
            number = 0
            while not enough.is_set() and number < 5_000:
                done = [store.save(page(f"{SITE}/{number + n}", f"story {number + n}")) for n in range(5)]
                for future in done:
                    future.result(timeout=PATIENCE)
                number += 5
                if not writing.is_set():
                    before.extend(f"{SITE}/{n}" for n in range(number))
                if number >= 50:
                    writing.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert writing.wait(PATIENCE)
        size = back_up(url, copy)
    finally:
        enough.set()
        writer.join()
    assert size == copy.stat().st_size
    assert not list(tmp_path.glob("*.part"))
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []

    in_the_end = stored(url)
    shutil.copy(copy, tmp_path / "restored.db")
    restored = f"sqlite:///{tmp_path / 'restored.db'}"
    kept = stored(restored)
    assert set(before) <= kept <= in_the_end
    with open_store(restored, upgrade=False) as store:
        assert store.save(page(f"{SITE}/new", "a new story")).result(timeout=PATIENCE).kind == "inserted"
    assert stored(restored) == kept | {f"{SITE}/new"}


def test_a_back_up_replaces_nothing_and_leaves_nothing_behind(url, tmp_path):
    with pytest.raises(MissingDatabase):
        back_up(url, tmp_path / "copy.db")
    open_store(url, upgrade=True).close()
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(StorageError, match="the file exists already"):
        back_up(url, tmp_path / "copy.db")
    with pytest.raises(StorageError, match="cannot back up"):
        back_up(url, tmp_path / "no" / "such" / "folder" / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"


def test_postgresql_is_left_to_its_own_means(tmp_path):
    with pytest.raises(StorageError, match="pg_dump"):
        back_up("postgresql://user:secret@localhost/news", tmp_path / "copy")
