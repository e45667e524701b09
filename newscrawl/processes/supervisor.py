"""Supervision of worker processes: when one hangs, how it ended, how often that may happen, and the end of them all.

A front end decides what a worker does and waits for its answers: `newscrawl.workers.job_queue` in an event loop,
`newscrawl.ingest.worker_pool` in a thread that blocks.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, Literal, TypeVar

from newscrawl.processes.cpu_wait import RunQueueWait
from newscrawl.processes.forkserver import Child, start_child

J = TypeVar("J")

MAX_CPU_WAIT: Final = 9
"""CPU wait extends a time-out by at most so many times its length. Without a bound, a worker that hangs would keep its
place for as long as the machine is busy."""

ORPHANED: Final = 255
"""Exit code of a worker whose true one nobody knows: the process it was forked from is gone, most often with it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a worker ended: no answer in time, a death, more CPU time than its job may take, or with its parent."""

    how: Literal["hung", "died", "spent", "orphaned"]
    reason: str


class Worker(Generic[J]):
    """A child process and the jobs it has. It works on the first of them, which is to blame if the process ends."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.jobs: deque[J] = deque()
        self.given = 0
        self.begun = 0.0
        """When its present work began, by the monotonic clock."""
        self._seconds = 0.0
        self._wait = RunQueueWait(child.process.pid or 0)
        self._waited = 0.0
        self._is_hung = False

    def begin(self, seconds: float, begun: float) -> None:
        """Note that its present work began at `begun` and may take so many seconds."""
        self._seconds, self.begun, self._waited = seconds, begun, self._wait.seconds()

    def kill_if_hung(self, now: float) -> float:
        """Kill the process if its work has taken too long; what it waited for a core does not count. Returns the
        seconds that are left, by the same clock as `begin`."""
        waited = min(self._wait.seconds() - self._waited, MAX_CPU_WAIT * self._seconds)
        left = self.begun + self._seconds + waited - now
        if left <= 0 and not self._is_hung:
            self._is_hung = True
            self.child.process.kill()
        return left

    def ended(self) -> Ended:
        """How the process ended. Blocks until it has."""
        self.child.process.join()
        code = self.child.process.exitcode
        if self._is_hung:
            return Ended("hung", f"no result within {self._seconds:g} seconds")
        if code == -signal.SIGPROF:
            return Ended("spent", "more CPU time than it may take")
        how: Literal["died", "orphaned"] = "orphaned" if code == ORPHANED else "died"
        return Ended(how, f"the worker process died with exit code {code}")

    def close(self) -> None:
        """Give it up: it gets no more jobs, and ends by itself unless it hangs."""
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

    def start(self, *more: Any, nice: int = 0) -> Child:
        """Start a process, with `more` arguments for `serve`. Raises OSError or EOFError when there can be none."""
        with self._lock:
            if self._is_closed:
                raise EOFError("the pool is closed")
            self._running = [process for process in self._running if process.is_alive()]
            arguments = (*self._arguments, *more)
            child = start_child(self._name, self._serve, *arguments, nice=nice, memory=self._memory)
            self._running.append(child.process)
        return child

    def close(self) -> None:
        """Kill all of them; none is started any more. Blocks until they are gone."""
        with self._lock:
            self._is_closed = True
            for process in self._running:
                process.kill()
            for process in self._running:
                process.join()


class Restarts:
    """Counts the losses of workers that no job is to blame for: `most` of them within so many seconds are borne."""

    def __init__(self, most: int, within: float = math.inf) -> None:
        self.reason = ""
        self.are_too_many = False
        """Whether something kills all workers again and again."""
        self._most = most
        self._within = within
        self._at: list[float] = []

    def count(self, reason: str, together: float = 0.0) -> bool:
        """Count a loss. Returns False for one less than `together` seconds after the last: both have one cause."""
        now = time.monotonic()
        if self._at and now - self._at[-1] < together:
            return False
        self._at = [*(at for at in self._at if now - at < self._within), now]
        self.reason = reason
        self.are_too_many = self.are_too_many or len(self._at) > self._most
        return True
