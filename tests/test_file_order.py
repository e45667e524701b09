"""The order of the test files (tests/support/file_order.py)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import file_order
import pytest

TESTS = Path(__file__).parent


@pytest.mark.parametrize("name", [*file_order.WAITING, *file_order.COMPUTING])
def test_what_is_named_exists(name: str) -> None:
    assert (TESTS / name).exists()


class Process:
    """What the scheduler sees of a process of pytest-xdist."""

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.given: list[int] = []
        self.shutting_down = False

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.given += numbers

    def shutdown(self) -> None:
        self.shutting_down = True


def test_every_test_runs_once_and_the_first_process_waits(pytestconfig: pytest.Config) -> None:
    paths = ["tests/test_kill.py", "tests/fleet/test_run.py", "tests/page/test_ends.py", "tests/fleet/test_watch.py"]
    tests = [f"{path}::test_{number}" for path in paths for number in range(5)]
    config: Any = SimpleNamespace(
        rootpath=TESTS.parent,
        option=SimpleNamespace(loadscopereorder=False),
        getvalue={"tx": ["popen", "popen"]}.__getitem__,
        invocation_params=pytestconfig.invocation_params,
    )
    made = file_order.scheduler(config, None)
    processes = [Process("gw0"), Process("gw1")]
    for process in processes:
        made.add_node(process)
        made.add_node_collection(process, tests)
    made.schedule()
    seen: list[list[str]] = [[], []]
    while any(len(done) < len(process.given) for done, process in zip(seen, processes, strict=True)):
        for done, process in zip(seen, processes, strict=True):
            if len(done) < len(process.given):
                number = process.given[len(done)]
                done.append(tests[number])
                made.mark_test_complete(process, number)
    assert sorted([*seen[0], *seen[1]]) == sorted(tests)
    files = [list(dict.fromkeys(test.partition("::")[0] for test in done)) for done in seen]
    assert files == [[paths[1], paths[3]], [paths[0], paths[2]]]
    assert all(process.shutting_down for process in processes)
