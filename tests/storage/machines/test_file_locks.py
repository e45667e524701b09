"""One `newscrawl run` for each SQLite database: a lock of the operating system, read from other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from newscrawl.errors import TEMPORARY, DatabaseInUse, StorageError
from newscrawl.storage.machines import RunLock

OTHER = """
import sys
from newscrawl.storage.machines import RunLock
lock = RunLock(sys.argv[1])
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def another(url: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the lock."""
    with subprocess.Popen(
        [sys.executable, "-c", OTHER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def test_a_second_run_is_refused_until_the_first_is_killed_and_a_symlink_is_the_same_database(tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(tmp_path / "folder")
    (tmp_path / "folder").mkdir()
    url, alias = f"sqlite:///{tmp_path}/folder/news.db", f"sqlite:///{tmp_path}/alias/news.db"
    with another(url) as process:
        with pytest.raises(DatabaseInUse, match=f"process {process.pid}") as refused:
            RunLock(alias)
        assert refused.value.exit_code == TEMPORARY
        process.kill()
        process.wait()
        RunLock(alias).close()
    assert not (tmp_path / "folder" / "news.db").exists()


def test_a_child_process_keeps_no_lock_of_a_process_that_ended(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    reading, writing = os.pipe()
    code = f"""
import os
from newscrawl.storage.machines import RunLock
lock = RunLock({url!r})
if os.fork() == 0:
    os.close({writing})
    os.read({reading}, 1)
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], pass_fds=(reading, writing), check=True)
    RunLock(url).close()
    os.close(writing)
    os.close(reading)


def test_a_lock_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "news.db.lock").mkdir()
    with pytest.raises(StorageError, match=r"news\.db\.lock"):
        RunLock(f"sqlite:///{tmp_path}/news.db")


def test_postgresql_has_no_such_file() -> None:
    with RunLock("postgresql://nobody@localhost/nothing"), RunLock("postgresql://nobody@localhost/nothing"):
        pass
