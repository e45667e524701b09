"""A test that starts a process is marked (tests/support/processes.py)."""

from __future__ import annotations

import os

import processes
import pytest


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
