"""What the suite checks of itself: what tests leave behind, and processes that they do not say they start."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import processes
import pytest
from leaks import leaks, leaks_after

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
