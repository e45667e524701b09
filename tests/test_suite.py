"""What the suite checks of itself: what tests leave behind, processes that they do not say they start, and databases
(schema.py) that are equal to those that the revisions build, and wait for no disk."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import processes
import pytest
import schema
from leaks import leaks, leaks_after
from sqlalchemy import text

from newscrawl.errors import SchemaError
from newscrawl.publishing.search import sqlite
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.store import open_store


def new_leaks(make: Callable[[], Callable[[], object]]) -> tuple[list[str], list[str]]:
    """What is found more than before while something is open, and what is left once it is closed."""
    before = set(leaks())
    close = make()
    during = [line for line in leaks() if line not in before]
    close()
    return during, leaks_after(before=before)


def test_an_open_store_is_a_thread_and_an_open_file_and_a_closed_one_is_neither(tmp_path: Path) -> None:
    def make() -> Callable[[], object]:
        store = open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True)
        with store.reading():
            pass
        return store.close

    during, after = new_leaks(make)
    assert "thread newscrawl-store" in during
    assert f"open file {tmp_path}/news.db" in during
    assert after == []


def test_a_child_process_is_seen_until_it_has_been_waited_for() -> None:
    def make() -> Callable[[], object]:
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        return lambda: child.communicate(b"\n")

    during, after = new_leaks(make)
    assert [line for line in during if "input()" in line]
    assert after == []


def test_what_ends_within_the_grace_is_no_leak_and_what_does_not_is_named() -> None:
    before = leaks()
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, args=(0.2,), name="newscrawl-slow")
    thread.start()
    assert "thread newscrawl-slow" in leaks_after(grace=0.01, before=before)
    assert leaks_after(before=before) == []
    thread.join()


class Item:
    """As much of a test as the check looks at."""

    def __init__(self, mark: str | None) -> None:
        self.mark = mark

    def get_closest_marker(self, name: str) -> str | None:
        return self.mark if name == self.mark else None


@pytest.mark.process
def test_a_process_without_the_mark_fails_the_test() -> None:
    before = len(processes.started)
    if (child := os.fork()) == 0:
        os._exit(0)
    os.waitpid(child, 0)
    processes.check(Item(processes.MARK), before)  # type: ignore[arg-type]
    with pytest.raises(pytest.fail.Exception, match=r"it starts a process \(os.fork\)"):
        processes.check(Item(None), before)  # type: ignore[arg-type]


OFF, NORMAL = 0, 1
"""Values of SQLite's pragma `synchronous`."""


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


def synchronous(folder: Path) -> tuple[int, int]:
    """Returns the pragma of a new database and of a search index."""
    url = f"sqlite:///{folder}/news.db"
    migrations.upgrade(url)
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        of_database = connection.execute(text("PRAGMA synchronous")).scalar_one()
    with closing(sqlite._opened(folder / "news.index")) as opened:
        return of_database, opened.execute("PRAGMA synchronous").fetchone()[0]


def test_databases_of_tests_do_not_wait_for_the_disk(tmp_path: Path) -> None:
    assert synchronous(tmp_path) == (OFF, OFF)


def test_as_shipped_the_revisions_build_a_database_that_waits_for_the_disk_at_checkpoints(
    tmp_path: Path, real_upgrade: None
) -> None:
    assert migrations.upgrade is schema.real_upgrade
    assert synchronous(tmp_path) == (NORMAL, NORMAL)
