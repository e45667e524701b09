"""A small part of `python -m benchmarks.faults` runs, and finds the fault that a command does not handle."""

from __future__ import annotations

import errno
import re
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

from benchmarks.faults.commands import Ended, difference, of_database, of_lines
from benchmarks.faults.runner import ROOT, Done, disk_library

ROW = re.compile(r"│ (\w+) +│ (\w+) +│ (\w+) +│ +([\d,]+) +│ +(\d+) +│")


@pytest.mark.process
def test_a_schema_is_made_whole_after_a_fault_at_some_statements_and_writes() -> None:
    command = [sys.executable, "-m", "benchmarks.faults", "--commands", "upgrade", "--kinds", "io,enospc"]
    options = ["--every", "250", "--statements", "40-", "--lengths", "once", "--jobs", "1"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {kind: (int(of), int(tried)) for _, kind, _, of, tried in ROW.findall(done.stdout)}
    assert rows["io"][0] > 100
    assert rows["io"][1] == len(range(40, rows["io"][0] + 1, 250))


def done(code: int, said: str) -> Done:
    return Done(code, 1.0, 1, 1, 1, said)


def test_what_is_lost_and_doubled_is_seen() -> None:
    lines = ['{"seq": 1}', '{"seq": 2}', '{"se', '{"seq": 2}']
    found = of_lines(lines)
    assert found.again == 1
    assert difference(of_lines(lines[:2]), found) == {}
    assert difference(of_lines(['{"seq": 1}', '{"seq": 3}']), found).keys() == {"lost", "doubled"}
    assert difference(Ended(), of_database("sqlite:///nowhere.db"))["lost"] == ["the database"]


@pytest.mark.postgresql
@pytest.mark.process
@pytest.mark.parametrize(
    ("kind", "problem", "stored"),
    [
        ("io", "IoError 58030", 0),
        ("locked", "DeadlockDetected 40P01", 0),
        ("lost", "OperationalError None", 0),
        ("unanswered", "OperationalError None", 1),
    ],
)
def test_a_fault_leaves_driver_and_server_as_the_real_one_does(
    empty_postgresql: str, tmp_path: Path, kind: str, problem: str, stored: int
) -> None:
    """The last statement of the second transaction fails, or its commit."""
    code = """if True:
        import sys, psycopg
        from benchmarks.faults.inject import COUNT, Fault, arm
        counts = {name: COUNT(0) for name in ("statements", "writes", "commits")}
        first = 2 if sys.argv[3] == "unanswered" else 5
        arm(Fault(sys.argv[3], first, first), sys.argv[1], **counts)
        connection = psycopg.connect(sys.argv[2])
        connection.execute("CREATE TABLE stored (number int)")
        connection.commit()
        try:
            connection.execute("INSERT INTO stored VALUES (1)")
            connection.execute("SELECT 1")
            connection.commit()
        except psycopg.Error as error:
            print(type(error).__name__, error.sqlstate)
        connection.close()
        with psycopg.connect(sys.argv[2]) as again:
            print(again.execute("SELECT count(*) FROM stored").fetchone()[0])
    """
    command = [sys.executable, "-c", code, str(tmp_path), empty_postgresql, kind]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout.splitlines() == [problem, str(stored)], done.stderr


@pytest.mark.process
def test_a_write_below_the_folder_fails_and_no_other(tmp_path: Path) -> None:
    library = disk_library(tmp_path)
    if library is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "in").mkdir()
    code = """if True:
        import ctypes, os, sys
        from benchmarks.faults.inject import COUNT, Fault, _arm_disk
        seen = COUNT(0)
        _arm_disk(Fault("enospc", 2, 2), sys.argv[1] + "/in", seen)
        inside, beside = (os.open(sys.argv[1] + name, os.O_CREAT | os.O_WRONLY) for name in ("/in/a", "/b"))
        for file in (inside, beside, inside, inside):
            try:
                os.write(file, b"xy")
            except OSError as error:
                print(error.errno)
        print(seen.value, os.fstat(inside).st_size, os.fstat(beside).st_size)
    """
    environment = {"LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], env=environment, capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == [str(errno.ENOSPC), "3", "4", "2"]
