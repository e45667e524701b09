"""The process that all child processes are forked from; how a child starts, gets its requests and ends."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

FOR_CRAWLS: Final = ("newscrawl.workers.preload",)
FOR_INGESTS: Final = ("newscrawl.ingest.worker", "newscrawl.article.preload")


def prepare(modules: tuple[str, ...]) -> None:
    """Start it, unless it runs. It imports `modules`, which takes a second in which the caller can do other work. It
    ignores Ctrl-C: a terminal sends it to the whole group, and the main process wants to finish what it has begun."""
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(modules))
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may set handlers; a Ctrl-C during the next second may then kill the workers
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, handler)


@dataclass(frozen=True, slots=True)
class Child:
    """A child process and our end of the pipe to it. The child ends by itself when the pipe is closed."""

    process: BaseProcess
    pipe: Connection

    def close(self) -> None:
        """Close the pipe and wait until the process has ended."""
        self.pipe.close()
        self.process.join()


def start_child(
    name: str, serve: Callable[..., None], *arguments: Any, nice: int = 0, memory: int | None = None
) -> Child:
    """Start a child that runs `serve(pipe, *arguments)`, a module-level function; all of it is pickled. `nice` is added
    to its nice value, `memory` bounds its address space, in bytes. Raises OSError or EOFError when there is no process
    that it can be forked from."""
    context = multiprocessing.get_context("forkserver")
    ours, theirs = context.Pipe()
    process = context.Process(target=_live, args=(theirs, nice, memory, serve, arguments), name=name, daemon=True)
    try:
        process.start()
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return Child(process, ours)


def requests(pipe: Connection, read: Callable[[bytes], Any] = pickle.loads) -> Iterator[Any]:
    """The messages that a child gets, until its parent closes the pipe or is killed."""
    with suppress(EOFError, ConnectionError):
        while True:
            yield read(pipe.recv_bytes())


def _live(pipe: Connection, nice: int, memory: int | None, serve: Callable[..., None], arguments: Any) -> None:
    """The whole life of a child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(nice)
    if memory is not None:  # an allocation beyond it raises MemoryError, instead of taking the machine down
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    with suppress(ConnectionError):  # the parent was killed before it had the answer
        serve(pipe, *arguments)
