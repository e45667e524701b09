"""A Dask scheduler and workers in processes of this machine, some of which are killed, and what processes use."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

LOOK_SECONDS: Final = 0.5
PATIENCE: Final = 60.0
_ENVIRONMENT: Final = {
    "DASK_DISTRIBUTED__WORKER__DAEMON": "false",
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "100",
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__WORKER__MEMORY__MONITOR_INTERVAL": "1s",
}


@dataclass
class Usage:
    """What the processes of a run used: CPU seconds by process, its role, and the memory (PSS, MB) of each role over
    time. `before` are the seconds of processes that ran already."""

    seconds: dict[tuple[int, float], float] = field(default_factory=dict)
    before: dict[tuple[int, float], float] = field(default_factory=dict)
    roles: dict[tuple[int, float], str] = field(default_factory=dict)
    memory: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def cpu(self) -> float:
        """CPU seconds of all processes, as far as they were seen."""
        return sum(self.seconds.values()) - sum(self.before.values())

    def cpu_of(self, role: str) -> float:
        """CPU seconds of the processes of a role."""
        of_role = [process for process, name in self.roles.items() if name == role]
        return sum(self.seconds.get(process, 0.0) - self.before.get(process, 0.0) for process in of_role)

    def most(self, role: str, begin: float, end: float) -> float:
        """The largest memory of a process of this role between two moments, given as parts of the run."""
        found = self.memory[role]
        if not found:
            return 0.0
        first, last = found[0][0], found[-1][0]
        edges = first + begin * (last - first), first + end * (last - first)
        return max((size for at, size in found if edges[0] <= at <= edges[1]), default=0.0)


@contextmanager
def watched(usage: Usage) -> Iterator[None]:
    """Looks at all processes that this one has started, directly or not."""
    over = threading.Event()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            times = process.cpu_times()
            usage.before[process.pid, process.create_time()] = times.user + times.system
    usage.seconds |= usage.before

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.Error, OSError):
                    times = process.cpu_times()
                    one, role = (process.pid, process.create_time()), role_of(process)
                    usage.seconds[one], usage.roles[one] = times.user + times.system, role
                    usage.memory[role].append((time.monotonic(), process.memory_full_info().pss / 2**20))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def role_of(process: psutil.Process) -> str:
    """Which part of a batch a process is."""
    line = " ".join(process.cmdline())
    names = {"dask_scheduler": "scheduler", "dask_worker": "nanny", "newscrawl.cli": "command"}
    for mark, role in names.items():
        if mark in line:
            return role
    if "forkserver" in line:
        parent = process.parent()
        return "extraction" if parent is not None and "forkserver" in " ".join(parent.cmdline()) else "fork server"
    return "worker" if "spawn_main" in line else "other"


class Cluster:
    """A scheduler and `count` workers, with nannies that restart killed workers. What ends is started again, as a
    service manager would."""

    def __init__(self, count: int, folder: Path) -> None:
        self._folder = folder
        self._count = count
        self._workers: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self._scheduler = self._start_scheduler()

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        host, _, port = self.address.removeprefix("tcp://").rpartition(":")
        started = self._start("dask_scheduler", "--host", host, "--port", port, "--no-dashboard")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
                return started
            time.sleep(0.1)
        raise SystemExit("the scheduler does not start")

    def keep(self) -> None:
        """Starts what has ended."""
        if self._scheduler.poll() is not None:
            self._scheduler = self._start_scheduler()
        self._workers = [worker for worker in self._workers if worker.poll() is None]
        for _ in range(self._count - len(self._workers)):
            options = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(self._folder)]
            self._workers.append(self._start("dask_worker", self.address, *options))

    def kill_worker(self, number: int) -> bool:
        """Kills the worker of a nanny. Returns whether there was one."""
        nanny = self._workers[number % len(self._workers)]
        for process in psutil.Process(nanny.pid).children():
            with suppress(psutil.Error):
                if role_of(process) == "worker":
                    process.kill()
                    return True
        return False

    def kill_scheduler(self) -> None:
        """Kills the scheduler."""
        self._scheduler.kill()
        self._scheduler.wait()

    def close(self) -> None:
        """Ends all processes."""
        for process in (*self._workers, self._scheduler):
            process.terminate()
        for process in (*self._workers, self._scheduler):
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        command: Sequence[str] = [sys.executable, "-m", f"distributed.cli.{program}", *options]
        environment = {**os.environ, **_ENVIRONMENT}
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
