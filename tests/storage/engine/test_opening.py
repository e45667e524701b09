"""Opening a database: its schema, and each error in one clear line, which names it without a password."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from patience import PATIENCE
from sqlalchemy import text
from stored_rows import metadata

from newscrawl.errors import SchemaError, StorageError
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import check_folder, make_engine, one_line, parse_url, shown
from newscrawl.storage.store import open_store

built_by_the_revisions = pytest.mark.usefixtures("real_upgrade")


def message_of(raised):
    message = str(raised.value)
    assert "\n" not in message
    assert "Traceback" not in message
    return message


def execute(url, statement):
    with make_engine(parse_url(url), pooled=False).begin() as connection:
        connection.execute(text(statement))


@built_by_the_revisions
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based index")
def test_the_revisions_build_exactly_the_tables_the_code_uses(database):
    with make_engine(parse_url(database), pooled=False).connect() as connection:
        only_in_views = "ix_site_hours_failures"  # its expression differs between the databases; test_views uses it
        of_tables = {"include_name": lambda name, _kind, _parents: name != only_in_views}
        context = MigrationContext.configure(connection, opts={"compare_type": False, **of_tables})
        assert compare_metadata(context, metadata) == []
    assert migrations.current_revision(database) == migrations.HEAD == migrations.revisions()[0]


@built_by_the_revisions
def test_a_sqlite_schema_comes_up_to_date_by_itself(tmp_path):
    url = f"sqlite:///{tmp_path / 'new.db'}"
    assert migrations.current_revision(url) is None
    assert not (tmp_path / "new.db").exists()
    open_store(url, upgrade=False).close()
    assert migrations.current_revision(url) == migrations.HEAD
    with sqlite3.connect(tmp_path / "new.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@built_by_the_revisions
@pytest.mark.postgresql
def test_a_postgresql_schema_is_only_upgraded_when_asked(empty_postgresql):
    with pytest.raises(SchemaError, match="run `newscrawl db upgrade`") as raised:
        open_store(empty_postgresql, upgrade=False)
    message_of(raised)
    open_store(empty_postgresql, upgrade=True).close()
    open_store(empty_postgresql, upgrade=False).close()
    execute(empty_postgresql, "DELETE FROM alembic_version")
    with pytest.raises(SchemaError, match="holds tables of something else"):
        open_store(empty_postgresql, upgrade=True)


def test_a_schema_newer_than_the_code_is_refused(database):
    execute(database, "UPDATE alembic_version SET version_num = 'zzzz'")
    for upgrade in (False, True):
        with pytest.raises(
            SchemaError, match=r"schema zzzz, newer than this newscrawl's \w+: upgrade newscrawl"
        ) as raised:
            open_store(database, upgrade=upgrade)
        message_of(raised)
    with pytest.raises(SchemaError, match="newer"):
        migrations.upgrade(database)


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "notes.db").write_text("dear diary, " * 1_000)
    with pytest.raises(StorageError, match="file is not a database") as raised:
        open_store(f"sqlite:///{tmp_path / 'notes.db'}", upgrade=True)
    message_of(raised)
    assert (tmp_path / "notes.db").read_text().startswith("dear diary")


def test_a_folder_that_is_missing_is_named(tmp_path):
    with pytest.raises(StorageError, match="nowhere is not a folder, create it") as raised:
        open_store(f"sqlite:///{tmp_path / 'nowhere' / 'x.db'}", upgrade=True)
    message_of(raised)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that not even root can write to")
def test_a_folder_that_cannot_be_written_is_an_error_of_one_line():
    with pytest.raises(StorageError, match="unable to open database file") as raised:
        open_store("sqlite:////proc/newscrawl.db", upgrade=True)
    assert "/proc/newscrawl.db" in message_of(raised)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
        ("mysql://root:geheim@db/news", "only sqlite and postgresql"),
        ("just words", "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_an_address_that_cannot_work_is_refused(url, message):
    with pytest.raises(StorageError, match=message) as raised:
        open_store(url, upgrade=True)
    assert "geheim" not in message_of(raised)


@pytest.mark.postgresql
def test_no_server_and_no_database_are_errors_of_one_line_without_the_password(postgresql):
    for url in (
        "postgresql://anna:geheim@127.0.0.1:9/news?connect_timeout=2",
        postgresql.replace("postgres:@/postgres?", "anna:geheim@/nosuchdatabase?"),
    ):
        with pytest.raises(StorageError, match="cannot open database") as raised:
            open_store(url, upgrade=False)
        assert "geheim" not in message_of(raised)


def test_a_server_that_accepts_and_says_nothing_is_an_error_in_time_without_a_limit_in_the_address(monkeypatch):
    monkeypatch.setattr("newscrawl.storage.engine.database.CONNECT_TIMEOUT_S", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(StorageError, match="cannot open database"):
            open_store(f"postgresql://anna:geheim@127.0.0.1:{silent.getsockname()[1]}/news", upgrade=False)
        assert time.monotonic() - began < PATIENCE / 2


def test_a_missing_driver_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StorageError, match=r"pip install '\.\[postgresql\]'` in newscrawl's clone") as raised:
        open_store("postgresql://anna:geheim@127.0.0.1/news", upgrade=False)
    assert "geheim" not in message_of(raised)


@built_by_the_revisions
def test_two_processes_that_open_a_new_database_at_once_both_succeed(tmp_path):
    code = "import sys; from newscrawl.storage.store import open_store; open_store(sys.argv[1], upgrade=False).close()"
    url = f"sqlite:///{tmp_path / 'new.db'}"
    processes = [
        subprocess.Popen([sys.executable, "-c", code, url], stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert [(process.communicate(timeout=PATIENCE)[1], process.returncode) for process in processes] == [("", 0)] * 2
    assert migrations.current_revision(url) == migrations.HEAD


@built_by_the_revisions
def test_an_upgrade_waits_longer_for_a_lock_than_a_batch(tmp_path, monkeypatch):
    monkeypatch.setattr("newscrawl.storage.engine.database.BUSY_TIMEOUT_MS", 1)
    file = tmp_path / "new.db"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("PRAGMA journal_mode=WAL")
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.5, lambda: other.execute("ROLLBACK"))
    release.start()
    migrations.upgrade(f"sqlite:///{file}")
    release.join()
    other.close()
    assert migrations.current_revision(f"sqlite:///{file}") == migrations.HEAD


def test_a_closed_store_leaves_no_thread_and_no_open_file(database, page, tmp_path):
    before = set(threading.enumerate())
    store = open_store(database, upgrade=False)
    future = store.save(page("https://harbour.example/a", "one"))
    store.close()
    store.close()
    assert future.result(timeout=0).kind == "inserted"
    assert set(threading.enumerate()) == before
    with pytest.raises(StorageError, match="the store is closed"):
        store.save(page("https://harbour.example/b", "two"))
    opened = [link.resolve() for link in Path("/proc/self/fd").iterdir() if link.exists()]
    assert not [path for path in opened if tmp_path in path.parents]


def test_a_database_whose_folder_vanishes_fails_the_futures_loudly(tmp_path, page):
    folder = tmp_path / "data"
    folder.mkdir()
    from newscrawl.storage.engine.errors import RetryPolicy

    with open_store(f"sqlite:///{folder / 'x.db'}", upgrade=False, retry=RetryPolicy(2, 0.01)) as store:
        store._engine.dispose()
        shutil.rmtree(folder)
        with pytest.raises(StorageError, match="cannot store 1 page in"):
            store.save(page("https://harbour.example/a", "one")).result(timeout=PATIENCE)
        with pytest.raises(StorageError, match="cannot write to"):
            store.run(lambda connection: connection.execute(text("SELECT 1"))).result(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("user", "reason"),
    [
        (0, "belongs to user 4711, and this process runs as root: run the command as 4711"),
        (4711, "allow it or choose another place"),
    ],
)
def test_a_file_of_another_user_is_refused_by_its_name(monkeypatch, tmp_path, user, reason):
    """The user 4711 has no name here, as in many containers."""
    file = tmp_path / "news.db"
    file.touch()
    monkeypatch.setattr(os, "access", lambda place, mode: place != file)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    stat, of_other = Path.stat, SimpleNamespace(st_uid=4711, st_mode=0o100600)
    monkeypatch.setattr(Path, "stat", lambda place, **more: of_other if place == file else stat(place, **more))
    with pytest.raises(StorageError) as raised:
        check_folder(parse_url(f"sqlite:///{file}"))
    assert message_of(raised).endswith(reason)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("postgresql://ann:secret@host:5433/news", "postgresql://***@host:5433/news"),
        ("postgresql://host/news?user=ann&password=secret&sslmode=require", "postgresql://host/news"),
        ("sqlite:///a/news.db", "a/news.db"),
    ],
)
def test_a_database_is_named_without_user_and_password(address: str, name: str) -> None:
    assert shown(parse_url(address)) == name


def test_what_a_driver_says_holds_no_password() -> None:
    url = parse_url("postgresql://ann:other@host/news?password=secret")
    told = one_line(ValueError('connection failed: "password=secret" other\nuser ann'), url)
    assert "secret" not in told
    assert "other" not in told
