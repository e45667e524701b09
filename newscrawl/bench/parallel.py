"""Runs a function on all cores, with a progress bar."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from newscrawl.console import SafeConsole

T = TypeVar("T")
R = TypeVar("R")

BAR_AFTER_SECONDS: Final = 2.0
PAGES_A_TASK: Final = 4
"""Pages that are sent to a worker at once. A small number, because one page may be slow."""


def in_parallel(
    function: Callable[[T], R], items: Sequence[T], *, label: str, processes: int | None = None
) -> Iterator[R]:
    """Yields the results of `function` in the order of `items`, from worker processes. `function` must be picklable."""
    processes = min(processes or os.cpu_count() or 1, len(items))
    if processes <= 1:
        yield from with_progress(map(function, items), len(items), label)
        return
    context = multiprocessing.get_context("forkserver")  # rich's thread makes a plain fork unsafe
    with context.Pool(processes) as pool:
        yield from with_progress(pool.imap(function, items, PAGES_A_TASK), len(items), label)


def with_progress(results: Iterable[R], total: int, label: str) -> Iterator[R]:
    """Yields `results`, with a progress bar on a terminal after two seconds."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=SafeConsole(stderr=True), transient=True)
    task = bar.add_task(label, total=total)
    bar.disable = not bar.console.is_terminal
    started, shown = time.monotonic(), False
    try:
        for result in results:
            bar.advance(task)
            if not shown and time.monotonic() - started > BAR_AFTER_SECONDS:
                bar.start()
                shown = True
            yield result
    finally:
        if shown:
            bar.stop()
