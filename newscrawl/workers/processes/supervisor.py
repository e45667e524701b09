"""Supervises worker processes: detects hangs, reports how a worker ended, limits restarts, ends all workers.

`newscrawl.workers.pool` decides what a worker does and waits for its answers.
"""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any, Final, Literal

from newscrawl.workers.processes.forkserver import Child, start_child

MAX_CPU_WAIT: Final = 9
"""CPU wait extends a time-out by at most this multiple of its length. Without a limit, a worker that hangs would keep
its place as long as the machine is busy."""

ORPHANED: Final = 255
"""The exit code when the real one is lost, because the process that forked the worker has ended, mostly with it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a worker ended: it hung, it died, it used up its CPU time, or its parent ended."""

    how: Literal["hung", "died", "over_cpu", "orphaned"]
    reason: str


class RunQueueWait:
    """The seconds that a process was ready to run while others had the cores, since its start. No time-out counts them.

    Linux counts them for the first thread of a process, each wait when it ends (proc(5), schedstat). On other systems,
    and for a process that has ended, the value is the last one that was read, 0 at first.
    """

    def __init__(self, process: int) -> None:
        self._seconds = 0.0
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(f"/proc/{process}/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def seconds(self) -> float:
        """Returns the present value. Reading it takes microseconds."""
        if self._file is not None:
            with suppress(OSError, IndexError):  # the process is gone
                self._seconds = int(os.pread(self._file, 100, 0).split()[1]) / 1e9
        return self._seconds

    def close(self) -> None:
        """Stops reading. `seconds` keeps its last value."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class Worker:
    """A child process that works, and the time-out of what it does now."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.begun = 0.0
        """When the present work began, by the monotonic clock."""
        self._seconds = 0.0
        self._wait = RunQueueWait(child.process.pid or 0)
        self._waited = 0.0
        self._is_hung = False

    def begin(self, seconds: float, begun: float) -> None:
        """Records that the present work began at `begun` and may take `seconds` (math.inf: any time)."""
        if not self._is_hung:
            self._seconds, self.begun, self._waited = seconds, begun, self._wait.seconds()

    def kill_if_hung(self, now: float) -> float:
        """Kills the process if its work has taken too long, without the time that it waited for a core. Returns the
        seconds that are left, by the clock of `begin`."""
        waited = min(self._wait.seconds() - self._waited, MAX_CPU_WAIT * self._seconds)
        left = self.begun + self._seconds + waited - now
        if left <= 0 and not self._is_hung:
            self._is_hung = True
            self.child.process.kill()
        return left

    def ended(self) -> Ended:
        """Returns how the process ended. Blocks until it has."""
        self.child.process.join()
        code = self.child.process.exitcode
        if self._is_hung:
            return Ended("hung", f"no result within {self._seconds:g} seconds")
        if code == -signal.SIGPROF:
            return Ended("over_cpu", "more CPU time than it may take")
        how: Literal["died", "orphaned"] = "orphaned" if code == ORPHANED else "died"
        return Ended(how, f"the worker process died with exit code {code}")

    def close(self) -> None:
        """Closes the pipe. The process gets no more jobs and ends, unless it hangs."""
        self.child.pipe.close()
        self._wait.close()


class WorkerFactory:
    """Starts worker processes of one kind, in any thread, and ends them all.

    Each runs `serve(pipe, *arguments)` with at most `memory` bytes of address space.
    """

    def __init__(self, name: str, memory: int, serve: Callable[..., None], *arguments: Any) -> None:
        self._name = name
        self._memory = memory
        self._serve = serve
        self._arguments = arguments
        self._running: list[BaseProcess] = []
        self._lock = threading.Lock()
        self._is_closed = False

    def start(self, *more: Any) -> Child:
        """Starts a process with `more` arguments for `serve`. Raises OSError or EOFError if that is not possible."""
        with self._lock:
            if self._is_closed:
                raise EOFError("the pool is closed")
            self._running = [process for process in self._running if process.is_alive()]
            arguments = (*self._arguments, *more)
            child = start_child(self._name, self._serve, *arguments, memory=self._memory)
            self._running.append(child.process)
        return child

    def close(self) -> None:
        """Kills all processes and prevents further starts. Blocks until they have ended."""
        with self._lock:
            self._is_closed = True
            for process in self._running:
                process.kill()
            for process in self._running:
                process.join()


class Restarts:
    """Counts losses of workers that no job caused. At most `most` of them within `within` seconds are accepted."""

    def __init__(self, most: int, within: float = math.inf) -> None:
        self.reason = ""
        self.are_too_many = False
        """Whether too many were lost, so that something kills all workers again and again."""
        self._most = most
        self._within = within
        self._at: list[float] = []

    def count(self, reason: str, together: float = 0.0) -> bool:
        """Counts a loss. Returns False if it is less than `together` seconds after the last one: both have one
        cause."""
        now = time.monotonic()
        if self._at and now - self._at[-1] < together:
            return False
        self._at = [*(at for at in self._at if now - at < self._within), now]
        self.reason = reason
        self.are_too_many = self.are_too_many or len(self._at) > self._most
        return True
