"""The process from which all child processes are forked; how a child starts, receives requests and ends."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker, util
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any, Final

from newscrawl.errors import ConfigurationError

FOR_CRAWLS: Final = ("newscrawl.workers.preload",)
FOR_PAGES: Final = ("newscrawl.extraction.article.preload",)
FOR_INGESTS: Final = ("newscrawl.archive.ingest.worker", *FOR_PAGES)

IGNORED: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals that a terminal, `timeout` or a supervisor of processes may send to the whole process group. The main process
handles them and wants to finish its work; its children end with their pipes."""

_first: Final[list[Callable[[], None]]] = []
"""The function that each child calls first."""

_pipes: Final[weakref.WeakKeyDictionary[BaseProcess, Connection]] = weakref.WeakKeyDictionary()
"""Our ends of the pipes of the children that may run."""

EXIT_SECONDS: Final = 2.0
"""Seconds for which the end of this process waits for children that nothing has ended."""

MAX_FOLDER_BYTES: Final = 107 - len("/listener-12345678")
"""Longest path of the folder in which multiprocessing makes the fork server's socket. By unix(7) the path of a socket
has 108 bytes with its end."""

_hiding: Final = threading.Lock()
"""Held while `__main__` is hidden: several threads may start children."""


def call_in_children(function: Callable[[], None] | None) -> None:
    """Makes each child that is started from now on call a module-level function first; None: nothing."""
    _first[:] = [] if function is None else [function]


def prepare(modules: tuple[str, ...]) -> None:
    """Starts the fork server unless it runs. It imports `modules`, which takes a second in which the caller can work.

    The fork server and its children do not get the signals of `IGNORED`, because they inherit that these are blocked.
    Signals that arrive meanwhile reach this process afterwards; if it ignored them for that time, they would be lost.

    Raises ConfigurationError if the folder for temporary files has too long a path for a socket.
    """
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(modules))
    resource_tracker.ensure_running()  # the fork server would start it, and that lets the signals through again
    allowed = signal.pthread_sigmask(signal.SIG_BLOCK, IGNORED)
    try:
        forkserver.ensure_running()
    except OSError as error:
        if len(os.fsencode(util.get_temp_dir())) <= MAX_FOLDER_BYTES:
            raise
        long = f"the path of {tempfile.gettempdir()} is too long for a socket in it; name a folder with a shorter one"
        raise ConfigurationError("TMPDIR", long) from error
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, allowed)


def remove_folder() -> None:
    """Removes the folder of the fork server's socket: for a process that ends by os._exit, where Python does not."""
    shutil.rmtree(util.get_temp_dir(), ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Child:
    """A child process and our end of the pipe to it. The child ends when the pipe is closed."""

    process: BaseProcess
    pipe: Connection

    def close(self) -> None:
        """Closes the pipe and waits until the process has ended."""
        self.pipe.close()
        self.process.join()


def start_child(name: str, serve: Callable[..., None], *arguments: Any, memory: int | None = None) -> Child:
    """Starts a child that runs `serve(pipe, *arguments)`, a module-level function. All arguments are pickled.

    `memory` limits its address space, in bytes. Raises OSError or EOFError if there is no process from which it can be
    forked.
    """
    context = multiprocessing.get_context("forkserver")
    ours, theirs = context.Pipe()
    given = (theirs, memory, tuple(_first), serve, arguments)
    process = context.Process(target=_run_child, args=given, name=name, daemon=True)
    try:
        with _without_script():
            process.start()
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    _pipes[process] = ours
    return Child(process, ours)


@atexit.register
def _end_children() -> None:
    """Ends the children that still run when this process ends, such as after a second Ctrl-C.

    multiprocessing would send them SIGTERM, which they ignore, and wait for them. It registered its function earlier,
    so this one is called before it.
    """
    left = [(process, pipe) for process, pipe in list(_pipes.items()) if process.is_alive()]
    for _, pipe in left:
        pipe.close()
    until = time.monotonic() + EXIT_SECONDS
    for process, _ in left:
        process.join(max(0.0, until - time.monotonic()))
    for process, _ in left:
        if process.is_alive():
            process.kill()


@contextmanager
def _without_script() -> Iterator[None]:
    """Hides the module `__main__` while a child starts.

    multiprocessing would import it again in the child, so a script that calls newscrawl outside of `if __name__ ==
    "__main__"` would start its own work in each child. What children run is never defined there.
    """
    with _hiding:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def requests(pipe: Connection) -> Iterator[Any]:
    """Yields the messages to a child until its parent closes the pipe or is killed."""
    with suppress(EOFError, ConnectionError):
        while True:
            yield pipe.recv()


def _run_child(
    pipe: Connection,
    memory: int | None,
    first: tuple[Callable[[], None], ...],
    serve: Callable[..., None],
    arguments: Any,
) -> None:
    """Runs a child: sets its limits, then calls `first` and `serve`."""
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, IGNORED)
    if memory is not None:  # an allocation beyond it raises MemoryError instead of exhausting the machine's memory
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        with suppress(ValueError):  # macOS refuses it: its processes have more address space from the start
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    for function in first:
        function()
    with suppress(ConnectionError):  # the parent was killed before it received the answer
        serve(pipe, *arguments)
