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


def test_the_longest_come_first_and_the_rest_last() -> None:
    names = ["page/test_ends.py", "test_kill.py", "fleet/test_watch.py", "fleet/test_run.py", "storage/test_save.py"]
    assert sorted(names, key=file_order.rank) == [*names[3:1:-1], "test_kill.py", "storage/test_save.py", names[0]]


def test_a_file_elsewhere_has_no_place() -> None:
    assert file_order.relative(TESTS / "fleet" / "test_run.py") == "fleet/test_run.py"
    assert not file_order.waits(file_order.relative(Path("/elsewhere/test_a.py")))


@pytest.mark.parametrize(
    ("files", "first", "other"),
    [(["compute", "wait", "wait more"], "wait", "compute"), (["wait"], "wait", "wait"), (["a", "b"], "a", "a")],
    ids=["both kinds", "only files that wait", "only files that compute"],
)
def test_a_process_takes_files_of_its_kind_as_long_as_there_are_any(files: list[str], first: str, other: str) -> None:
    waits = lambda file: file.startswith("wait")  # noqa: E731
    assert file_order.next_file(files, is_first=True, waits=waits) == first
    assert file_order.next_file(files, is_first=False, waits=waits) == other


@pytest.mark.parametrize(
    ("done", "left"),
    [([], 0), ([[True, True]], 0), ([[True, False]], 1), ([[True, True], [True, False], [False, False]], 3)],
    ids=["no file", "a file that is done", "a file that is begun", "a file that is done and two that are not"],
)
def test_the_tests_that_are_left_are_those_of_the_last_files(done: list[list[bool]], left: int) -> None:
    files = {str(place): {str(number): one for number, one in enumerate(tests)} for place, tests in enumerate(done)}
    assert file_order.pending(files) == left


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
