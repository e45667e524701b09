"""Runs a function on all cores, with a progress bar."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from newscrawl.config.logs.console import SafeConsole
from newscrawl.errors import NewscrawlError
from newscrawl.workers.processes.forkserver import IGNORED

T = TypeVar("T")
R = TypeVar("R")

BAR_AFTER_SECONDS: Final = 2.0
PAGES_A_TASK: Final = 4
"""Pages that are sent to a worker at once. A small number, because one page may be slow."""


def in_parallel(
    function: Callable[[T], R], items: Sequence[T], *, label: str, processes: int | None = None
) -> Iterator[R]:
    """Yields the results of `function` in the order of `items`, from worker processes. `function` must be picklable.

    Raises NewscrawlError if a worker dies.
    """
    processes = min(processes or os.cpu_count() or 1, len(items))
    if processes <= 1:
        yield from with_progress(map(function, items), len(items), label)
        return
    with worker_processes(processes) as workers:
        try:
            yield from with_progress(workers.map(function, items, chunksize=PAGES_A_TASK), len(items), label)
        except BrokenProcessPool as error:
            raise NewscrawlError(f"{label}: a worker process died, perhaps for lack of memory; try again") from error


def worker_processes(number: int) -> ProcessPoolExecutor:
    """Returns an executor of `number` worker processes.

    It ends them by a message, or by SIGTERM if one of them has died. multiprocessing.Pool sends SIGTERM in each case
    and waits for ever when a worker died.
    """
    context = multiprocessing.get_context("forkserver")  # rich's thread makes a plain fork unsafe
    return ProcessPoolExecutor(number, context, initializer=_let_sigterm_through)


def _let_sigterm_through() -> None:
    """The fork server may block it (newscrawl.workers.processes.forkserver), and the pool would wait for its workers
    for ever. Ctrl-C is for the main process alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, IGNORED)


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
