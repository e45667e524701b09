"""A back-up made during writes is complete, and a crawl can continue from it."""

from __future__ import annotations

import os
import pwd
import random
import signal
import sqlite3
import sys
import threading
from contextlib import closing

import pytest
import warm
from patience import PATIENCE

from newscrawl.errors import MissingDatabase, SchemaError, StorageError
from newscrawl.reports import articles
from newscrawl.storage import backup
from newscrawl.storage.backup import appearing, back_up, restore
from newscrawl.storage.feed import consumers
from newscrawl.storage.machines import RunLock
from newscrawl.storage.store import open_store

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
    restored = f"sqlite:///{tmp_path / 'restored.db'}"
    restore(restored, copy)
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


@pytest.mark.parametrize(("name", "program"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_a_database_on_a_server_is_refused_with_one_line_that_names_the_way(tmp_path, name, program):
    done = command("postgresql://user:secret@localhost/news", name, tmp_path / "copy")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "news is on a server: " in line
    assert f"with {program}, as docs/how-to/deploy.md says under Back-up and restore" in line
    assert "secret" not in line
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def copy(url, page, tmp_path):
    with open_store(url, upgrade=True) as store:
        store.save(page(f"{SITE}/1", "a story")).result(timeout=PATIENCE)
    back_up(url, tmp_path / "copy.db")
    return tmp_path / "copy.db"


def test_a_restore_refuses_a_database_that_is_not_empty(url, copy, tmp_path):
    with pytest.raises(StorageError, match=r"the database is not empty; stop the crawls, and move .*news.db away"):
        restore(url, copy)
    other = tmp_path / "other.db"
    (tmp_path / "other.db-wal").write_bytes(b"left over")
    with pytest.raises(StorageError, match=r"other\.db-wal belongs to another database"):
        restore(f"sqlite:///{other}", copy)
    (tmp_path / "other.db-wal").unlink()
    other.touch()
    restore(f"sqlite:///{other}", copy)
    assert stored(f"sqlite:///{other}") == {f"{SITE}/1"}
    assert not list(tmp_path.glob("*.part"))


def test_a_restore_refuses_what_is_no_copy(copy, tmp_path):
    fresh = f"sqlite:///{tmp_path / 'fresh.db'}"
    (tmp_path / "text").write_text("nothing")
    with pytest.raises(StorageError, match="no copy that `newscrawl backup` wrote"):
        restore(fresh, tmp_path / "text")
    with pytest.raises(StorageError, match=r"cannot restore from .*: no such file"):
        restore(fresh, tmp_path / "nothing")
    with closing(sqlite3.connect(tmp_path / "foreign.db")) as connection:
        connection.execute("CREATE TABLE other (id integer)")
    with pytest.raises(StorageError, match="tables of something else"):
        restore(fresh, tmp_path / "foreign.db")
    (tmp_path / "half.db").write_bytes(copy.read_bytes()[:40_000])
    with pytest.raises(StorageError):
        restore(fresh, tmp_path / "half.db")
    assert not (tmp_path / "fresh.db").exists()
    assert not list(tmp_path.glob("*.part"))


def test_a_copy_of_a_newer_newscrawl_is_refused(copy, tmp_path):
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'zzzz'")
    with pytest.raises(SchemaError, match="newer than this newscrawl's"):
        restore(f"sqlite:///{tmp_path / 'fresh.db'}", copy)
    assert not (tmp_path / "fresh.db").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_does_not_restore_what_the_crawls_could_not_write(copy, tmp_path):
    folder = tmp_path / "theirs"
    folder.mkdir()
    os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)
    with pytest.raises(StorageError, match=r"cannot restore as root: .* belongs to nobody"):
        restore(f"sqlite:///{folder / 'news.db'}", copy)


def test_a_restore_waits_for_no_run(copy, tmp_path):
    """The lock of a run is another process's, so a child tries the restore."""
    url = f"sqlite:///{tmp_path / 'fresh.db'}"
    with RunLock(url):
        done = child(restore, url, copy)
    assert done.returncode == 1
    assert "another `newscrawl run`" in done.stderr


def child(function, url, file, **environment):
    """Calls back_up or restore in a process of its own."""
    module = "newscrawl.storage.backup"
    code = f"from pathlib import Path; from {module} import {function.__name__} as f; f({url!r}, Path({str(file)!r}))"
    return warm.told([sys.executable, "-c", code], env={**os.environ, **environment})


def test_a_kill_in_the_middle_leaves_no_half_file(url, copy, tmp_path):
    killed = {"NEWSCRAWL_FAILPOINT": "copy-written"}
    second, fresh = tmp_path / "second.db", tmp_path / "fresh.db"
    assert child(back_up, url, second, **killed).returncode == -signal.SIGKILL
    assert child(restore, f"sqlite:///{fresh}", copy, **killed).returncode == -signal.SIGKILL
    assert not second.exists()
    assert not fresh.exists()
    back_up(url, second)
    restore(f"sqlite:///{fresh}", second)
    assert stored(f"sqlite:///{fresh}") == {f"{SITE}/1"}
    assert not list(tmp_path.glob("*.part"))


def test_a_restored_database_sends_its_changes_to_every_consumer_again(url, page, tmp_path, now):
    copy, restored = tmp_path / "copy.db", f"sqlite:///{tmp_path / 'restored.db'}"
    with open_store(url, upgrade=True) as store:
        store.save(page(f"{SITE}/1", "a story")).result(timeout=PATIENCE)
        store.run(consumers.save, "jsonl:feed", 1, "file", now).result(timeout=PATIENCE)
    back_up(url, copy)
    killed = child(restore, restored, copy, NEWSCRAWL_FAILPOINT="copy-written")
    assert killed.returncode == -signal.SIGKILL
    with closing(sqlite3.connect(next(tmp_path.glob("restored.db.*.part")))) as connection:
        assert connection.execute("SELECT consumer, seq FROM cursors").fetchall() == [("jsonl:feed", 0)]
    assert restore(restored, copy) == ["jsonl:feed"]
    with open_store(restored, upgrade=False) as store, store.reading() as connection:
        assert consumers.load(connection, "jsonl:feed").seq == 0


def test_two_back_ups_of_one_name_never_share_a_file(tmp_path):
    target = tmp_path / "copy.db"
    other = os.getppid()
    (tmp_path / f"copy.db.{other}.part").write_text("of a process that runs")
    for left in ("copy.db.4194999.part", "copy.db.4194999.part-journal"):
        (tmp_path / left).write_text("of a process that was killed")
    with appearing(target) as part:
        part.write_text("mine")
        assert {path.name for path in tmp_path.iterdir()} == {part.name, f"copy.db.{other}.part"}
    assert target.read_text() == "mine"
    assert (tmp_path / f"copy.db.{other}.part").read_text() == "of a process that runs"


def test_a_full_disk_leaves_no_journal_behind(url, copy, tmp_path, monkeypatch):
    def fill(part):
        part.with_name(f"{part.name}-journal").write_bytes(b"half")
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(backup, "_check", fill)
    before = set(tmp_path.iterdir())
    with pytest.raises(StorageError, match=r"cannot back up database .*news\.db to .*second\.db: .*disk is full"):
        back_up(url, tmp_path / "second.db")
    assert set(tmp_path.iterdir()) == before


def command(url, *words):
    """Runs `newscrawl` with a database in a process of its own."""
    line = [sys.executable, "-m", "newscrawl.cli", *map(str, words)]
    return warm.told(line, env={**os.environ, "NEWSCRAWL_DATABASE_URL": url})


def flipped(data: bytes, seed: int) -> bytes:
    """Returns the file with a hundred bytes of its schema changed, and as many elsewhere."""
    chance, damaged = random.Random(seed), bytearray(data)
    for end in (4 * 4_096, len(damaged)):
        for _ in range(100):
            damaged[chance.randrange(100, end)] = chance.randrange(256)
    return bytes(damaged)


def test_a_damaged_copy_ends_with_one_line_and_leaves_nothing(copy, tmp_path):
    data = copy.read_bytes()
    damaged = [flipped(data, seed) for seed in range(20)]  # some have text that is no UTF-8 in the schema
    damaged += [data[:200], data[: len(data) // 3], data[:16] + bytes(4_000) + data[4_016:]]
    for number, content in enumerate(damaged):
        (bad := tmp_path / "bad.db").write_bytes(content)
        with pytest.raises(StorageError, match=r"cannot restore from .*bad\.db: ") as raised:
            restore(f"sqlite:///{tmp_path / 'fresh.db'}", bad)
        assert ".part" not in str(raised.value), number
    assert not (tmp_path / "fresh.db").exists()
    assert not list(tmp_path.glob("*.part*"))
    done = command(f"sqlite:///{tmp_path / 'fresh.db'}", "restore", bad)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"newscrawl: cannot restore from {bad}: ")


def test_a_copy_with_what_the_schema_does_not_have_is_refused_by_name(copy, tmp_path):
    data = copy.read_bytes()
    for statement, named in (
        ("CREATE TRIGGER spy AFTER UPDATE ON cursors BEGIN DELETE FROM articles; END", "trigger spy"),
        ("CREATE VIEW mine AS SELECT text FROM articles", "view mine"),
        ("CREATE TABLE other (id integer)", "table other"),
        ("CREATE VIRTUAL TABLE words USING fts5(word)", "table words, table words_config"),
        ("DROP TABLE page_samples; CREATE VIEW page_samples AS SELECT 1 AS id", "view page_samples"),
    ):
        copy.write_bytes(data)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.executescript(statement)
        with pytest.raises(SchemaError, match=rf"copy\.db: it has {named}.* which newscrawl's schema does not have"):
            restore(f"sqlite:///{tmp_path / 'fresh.db'}", copy)
    assert not (tmp_path / "fresh.db").exists()
    assert not list(tmp_path.glob("*.part*"))
