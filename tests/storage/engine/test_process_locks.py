"""Which processes crawl with a SQLite database: locks of the operating system, read from other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from newscrawl.errors import TEMPORARY, DatabaseInUse, StorageError
from newscrawl.storage.engine.process_locks import ProcessRegistration

OTHER = """
import sys
from newscrawl.storage.engine.process_locks import ProcessRegistration
living = ProcessRegistration(sys.argv[1], run=sys.argv[2] == "run")
living.take("example.org")
print("ready", flush=True)
for line in sys.stdin:
    living.give_back("example.org")
    print("given back", flush=True)
"""


@contextmanager
def another(url: str, kind: str = "crawl") -> Iterator[subprocess.Popen[str]]:
    """Another process that crawls, has taken example.org, and gives it back when it is told to."""
    with subprocess.Popen(
        [sys.executable, "-c", OTHER, url, kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
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
    with another(url, "run") as process:
        with pytest.raises(DatabaseInUse, match=f"process {process.pid}") as refused:
            ProcessRegistration(alias, run=True)
        assert refused.value.exit_code == TEMPORARY
        process.kill()
        process.wait()
        with ProcessRegistration(alias, run=True) as living:
            assert not living.are_others()


def test_a_crawl_sees_others_and_takes_a_host_that_nobody_has(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    with ProcessRegistration(url) as living:
        assert not living.are_others()
        with another(url, "run") as process:
            assert living.are_others()
            assert not living.take("example.org")
            assert living.take("example.net")
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("\n")
            process.stdin.flush()
            process.stdout.readline()
            assert living.take("example.org")
        assert not living.are_others()
    assert (tmp_path / "news.db.lock").exists()
    assert not (tmp_path / "news.db").exists()


def test_two_crawls_of_one_process_share_the_file_and_keep_hosts_apart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    with ProcessRegistration(url) as first:
        with ProcessRegistration(url) as second:
            assert first.take("example.org")
            assert not second.take("example.org")
            second.give_back("example.org")  # not its own
            assert not second.take("example.org")
            assert second.take("example.net")
        assert first.take("example.net")
        other = subprocess.run([sys.executable, "-c", TRIES, str(tmp_path / "news.db.lock")], check=False)
        assert other.returncode == 1, "the second's end must not end the first's locks"


TRIES = """
import fcntl, sys
with open(sys.argv[1], "r+") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(1)
"""


def test_a_child_process_keeps_no_lock_of_a_process_that_ended(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    reading, writing = os.pipe()
    code = f"""
import os
from newscrawl.storage.engine.process_locks import ProcessRegistration
living = ProcessRegistration({url!r}, run=True)
if os.fork() == 0:
    os.close({writing})
    os.read({reading}, 1)
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], pass_fds=(reading, writing), check=True)
    with ProcessRegistration(url, run=True) as living:
        assert not living.are_others()
    os.close(writing)
    os.close(reading)


def test_a_lock_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "news.db.lock").mkdir()
    with pytest.raises(StorageError, match=r"news\.db\.lock"):
        ProcessRegistration(f"sqlite:///{tmp_path}/news.db")


def test_postgresql_has_no_such_file() -> None:
    with ProcessRegistration("postgresql://nobody@localhost/nothing", run=True) as living:
        assert not living.are_others()
        assert living.take("example.org")
        assert living.take("example.org")
        living.give_back("example.org")
