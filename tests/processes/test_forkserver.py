"""A child starts under its limits, receives what its parent sends, and ends with the pipe."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing import forkserver
from pathlib import Path

import pytest
from child_work import tell_limits
from patience import PATIENCE

from newscrawl.workers.processes.forkserver import FOR_CRAWLS, FOR_INGESTS, IGNORED, prepare, start_child
from newscrawl.workers.processes.supervisor import WorkerFactory

MEMORY = 1 << 30


def test_a_child_has_its_limits_ignores_interrupts_and_ends_when_its_pipe_is_closed() -> None:
    child = start_child("newscrawl-test", tell_limits, "hello", memory=MEMORY)
    child.pipe.send("?")
    assert child.pipe.recv() == ("hello", "?", MEMORY, signal.SIG_IGN)
    assert child.process.pid is not None
    os.kill(child.process.pid, signal.SIGTERM)  # as a supervisor sends it to a whole process group
    child.pipe.send("again")
    assert child.pipe.recv()[1] == "again"
    child.close()
    assert child.process.exitcode == 0


@pytest.mark.parametrize("number", IGNORED)
def test_a_signal_during_the_start_of_the_fork_server_is_not_lost(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """Else a run that is told to end just then would go on for ever."""
    received: list[int] = []
    former = signal.signal(number, lambda got, _: received.append(got))
    monkeypatch.setattr(forkserver, "ensure_running", lambda: os.kill(os.getpid(), number))
    try:
        prepare(FOR_CRAWLS)
    finally:
        signal.signal(number, former)
    assert received == [number]


def test_a_factory_ends_all_that_it_has_started_and_starts_none_any_more() -> None:
    factory = WorkerFactory("newscrawl-test", MEMORY, tell_limits)
    children = [factory.start(word) for word in ("one", "two")]
    for child in children:
        child.pipe.send("?")
    assert [child.pipe.recv()[0] for child in children] == ["one", "two"]
    factory.close()
    assert [child.process.exitcode for child in children] == [-signal.SIGKILL] * 2
    with pytest.raises(EOFError, match="the pool is closed"):
        factory.start("three")
    for child in children:
        child.pipe.close()


def test_the_fork_server_of_the_tests_imports_what_all_workers_need_whoever_starts_it() -> None:
    multiprocessing.get_context("forkserver").set_forkserver_preload([FOR_CRAWLS[0]])
    imported = forkserver._forkserver._preload_modules  # type: ignore[attr-defined]
    assert imported == [*FOR_CRAWLS, *FOR_INGESTS]


@pytest.mark.process
def test_a_process_that_ends_without_closing_its_children_does_not_wait_for_them() -> None:
    """As `scrapy crawl` after a second Ctrl-C. The event loop has another end of a pipe, which stays open."""
    code = (
        "import os; from child_work import tell_limits; from newscrawl.workers.processes.forkserver import start_child\n"
        "children = [start_child('newscrawl-test', tell_limits, 'hello') for _ in range(2)]\n"
        "for child in children: child.pipe.send('?'); child.pipe.recv()\n"
        "other = os.dup(children[0].pipe.fileno())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "support")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        env=environment,
        timeout=PATIENCE,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
