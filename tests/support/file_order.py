"""The order of the test files, and which of the processes of `make test` takes which.

Some files mostly wait: for pauses of politeness, for leases, for servers. `make test` has two processes more than there
are cores. Those first processes take the files that wait, and as many as there are cores take the files that compute.
Without that all processes wait at one time and compete for the cores at another. A process whose kind of file is used
up takes the other kind. The longest files come first, so that no process works alone in the end.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pytest

TESTS: Final = Path(__file__).parents[1]
WAITING: Final = (
    "fleet/test_run.py",
    "fleet/test_outage.py",
    "benchmarks/test_onboarding_benchmark.py",
    "fleet/test_controls.py",
    "benchmarks/test_crawl.py",
    "fleet",
    "pipelines/test_store_failures.py",
    "crawling/test_host_turns.py",
    "crawling/downloader/hosts/test_claims.py",
    "processes",
    "workers",
    "web/test_server.py",
)
"""Files and folders that wait for longer than they compute; the longest first."""
COMPUTING: Final = (
    "test_kill.py",
    "web/test_browser.py",
    "feed/test_opensearch.py",
    "benchmarks/test_kill_stories.py",
    "benchmarks/test_feed_consumer.py",
    "storage/test_crashes.py",
    "archive/test_crashes.py",
    "storage/duplicates/test_stories.py",
    "test_collection.py",
    "benchmarks/test_machines.py",
    "archive/test_machines.py",
    "batch",
    "ingest",
    "benchmarks",
    "onboarding",
    "hostile",
    "spiders",
    "demo",
    "docs",
    "archive",
    "storage",
    "feed",
    "cli",
    "crawling",
    "web",
    "site_hints/test_hostile.py",
    "reader",
    "bench/test_doubling.py",
    "linear",
    "extraction/test_linear.py",
    "scheduling/test_robots_groups.py",
)
"""Other files and folders that take long; the longest first."""


@cache
def rank(path: str) -> int:
    """Returns the place of a file of tests, which is given relative to their folder, in the order."""
    order = (*WAITING, *COMPUTING)
    return next((place for place, slow in enumerate(order) if path.startswith(slow)), len(order))


def waits(path: str) -> bool:
    """Returns whether a file mostly waits."""
    return path.startswith(WAITING)


@cache
def relative(path: Path) -> str:
    """Returns the path of a file relative to the folder of the tests, "" for a file elsewhere."""
    return path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else ""


def next_file(files: Iterable[str], *, is_first: bool, waits: Callable[[str], bool]) -> str:
    """Returns the file that a process takes next: of `files`, which is not empty, the first of its kind, else the
    first."""
    in_order = list(files)
    return next((file for file in in_order if waits(file) == is_first), in_order[0])


def waiters(processes: int, cores: int) -> int:
    """Returns how many of the processes take the files that wait: one at least, and all that are more than cores."""
    return max(1, processes - cores)


def pending(files: Mapping[str, Mapping[str, bool]]) -> int:
    """Returns how many tests of a process are not done: `files` has the tests of each file in the order in which it
    takes them, and whether they are done.

    From the end, as earlier files are done when a later one is. pytest-xdist counts the tests of all files again
    whenever one is done.
    """
    number = 0
    for tests in reversed(files.values()):
        left = sum(not done for done in tests.values())
        if left == 0:
            break
        number += left
    return number


def scheduler(config: pytest.Config, log: Any) -> Any:
    """Returns the scheduler of pytest-xdist for `--dist loadfile`."""
    from xdist.scheduler import LoadFileScheduling

    @cache  # asked of every file that is left whenever a process takes one
    def is_waiting(file: str) -> bool:
        return waits(relative(config.rootpath / file))

    class ByKind(LoadFileScheduling):
        """Gives a process whole files, those of its kind first."""

        def _assign_work_unit(self, node: Any) -> None:
            is_first = node in self.nodes[: waiters(len(self.nodes), os.cpu_count() or 1)]
            found = next_file(self.workqueue, is_first=is_first, waits=is_waiting)
            self.workqueue.move_to_end(found, last=False)
            super()._assign_work_unit(node)

        def _pending_of(self, workload: Any) -> int:
            return pending(workload)

    return ByKind(config, log)
