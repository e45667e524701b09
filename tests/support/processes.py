"""Finds the tests that start processes: before they run, from the code that they reach, and while they run.

A test is marked `process` when code that it reaches, through functions of tests, benchmarks and newscrawl.testing,
names something that starts processes. `make quick` leaves those out. A test that starts a process without the mark
fails.
"""

from __future__ import annotations

import multiprocessing.process
import sys
from collections.abc import Callable, Iterator
from functools import cache
from multiprocessing import util
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]
OURS: Final = ("tests", "benchmarks", "newscrawl.testing")
SUPPORT: Final = frozenset(path.stem for path in Path(__file__).parent.glob("*.py"))
"""Modules of this folder, which tests and benchmarks import by their bare names."""
MARK: Final = "process"
MODULES: Final = frozenset({"subprocess", "warm", "multiprocessing", "crawls"})
STARTERS: Final = frozenset(
    {
        "newscrawl.testing.services.postgresql.server",
        "benchmarks.freshness.report.measure_all",
        "newscrawl.bench.parallel.in_parallel",
        "newscrawl.workers.extraction_pool.ExtractionPool",
        "newscrawl.workers.pool.Pool",
        "newscrawl.workers.processes.supervisor.WorkerFactory",
        "newscrawl.workers.processes.forkserver.prepare",
        "newscrawl.workers.processes.forkserver.start_child",
        "newscrawl.archive.ingest.run.Ingest",
        "newscrawl.archive.ingest.crew.LocalCrew",
        "newscrawl.archive.batch.spans.extract_span",
        "newscrawl.archive.batch.run.LocalEngine",
        "newscrawl.archive.reextract.run.Reextraction",
    }
)
"""Classes and functions that start processes, other than by a module of MODULES that the test names itself."""
OF_ALL: Final = frozenset({"nothing_leaks", "from_template"})
"""Fixtures of every test: they end processes and start none."""
EVENTS: Final = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "pty.spawn"})
"""What Python tells audit hooks of."""

started: Final[list[str]] = []
"""What this process has started so far."""


def starts_processes(item: pytest.Item) -> bool:
    """Whether the code that a test reaches names something that starts processes."""
    if item.get_closest_marker(MARK) or item.get_closest_marker("postgresql"):
        return True
    fixtures = getattr(item, "_fixtureinfo").name2fixturedefs if hasattr(item, "_fixtureinfo") else {}  # noqa: B009
    functions = [found[-1].func for name, found in fixtures.items() if found and name not in OF_ALL]
    return _any_starts((getattr(item, "function", None), *functions))


@cache
def _any_starts(functions: tuple[Any, ...]) -> bool:
    """Caches the result for a test and its fixtures, which its parameters share."""
    return any(_starts(function) for function in functions)


@cache
def _starts(function: Any) -> bool:
    """Caches the result for functions and fixtures that thousands of tests share."""
    return _reaches(function, set())


def _reaches(function: Any, seen: set[int]) -> bool:
    function = getattr(function, "__wrapped__", function)
    if isinstance(function, type) and _is_ours_by_name(function.__module__):
        return any(_reaches(method, seen) for method in vars(function).values())
    if not isinstance(function, FunctionType) or id(function) in seen or not _is_ours(function):
        return False
    seen.add(id(function))
    names = set(_names(function.__code__))
    named = [found for name in names if (found := function.__globals__.get(name)) is not None]
    for module in [found for found in named if isinstance(found, ModuleType)]:
        if module.__name__.partition(".")[0] in MODULES:
            return True
        if _is_ours_by_name(module.__name__):
            named += [vars(module)[name] for name in names & vars(module).keys()]
    return any(_is_starter(found) or _reaches(found, seen) for found in named)


def _is_starter(found: Any) -> bool:
    module, name = getattr(found, "__module__", None) or "", getattr(found, "__qualname__", "")
    return module in MODULES or f"{module}.{name}" in STARTERS


def _is_ours(function: FunctionType) -> bool:
    return _is_our_file(function.__code__.co_filename)


@cache
def _is_our_file(name: str) -> bool:
    return any(Path(name).is_relative_to(ROOT.parent.joinpath(*ours.split("."))) for ours in OURS)


def _is_ours_by_name(module: str) -> bool:
    return module in SUPPORT or any(module == ours or module.startswith(f"{ours}.") for ours in OURS)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def watch() -> None:
    """Note from now on what this process starts."""
    sys.addaudithook(lambda event, _, of=EVENTS: started.append(event) if event in of else None)
    _noting(multiprocessing.process.BaseProcess, "start")
    _noting(util, "spawnv_passfds")


def _noting(owner: Any, name: str) -> None:
    original: Callable[..., Any] = getattr(owner, name)

    def noted(*arguments: Any, **named: Any) -> Any:
        started.append(f"{owner.__name__}.{name}")
        return original(*arguments, **named)

    setattr(owner, name, noted)


def check(item: pytest.Item, before: int) -> None:
    """Fails a test that started a process and is not marked."""
    if len(started) > before and not item.get_closest_marker(MARK):
        pytest.fail(
            f"it starts a process ({', '.join(sorted(set(started[before:])))}): mark it @pytest.mark.{MARK},"
            f" or name what starts it in {Path(__file__).name}"
        )
