"""The work of children in the tests of starting them and of their logs, and a stand-in for a process. Children import
this module by name."""

from __future__ import annotations

import logging
import resource
import signal
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any

from newscrawl.workers.processes.forkserver import Child, requests


def tell_limits(pipe: Connection, word: str) -> None:
    """Answer each request with the word, the request and the limits of this process."""
    for request in requests(pipe):
        memory, _ = resource.getrlimit(resource.RLIMIT_AS)
        pipe.send((word, request, memory, signal.getsignal(signal.SIGINT)))


def talk(pipe: Connection) -> None:
    """Logs one warning, and answers."""
    logging.getLogger("child").warning("a child talks of %s", "https://u:p@h.example/")
    pipe.send_bytes(b"done")


class FakeProcess:
    """A process that ends when it is killed or when the test ends it."""

    pid = None

    def __init__(self) -> None:
        self.exitcode: int | None = None
        self.kills = 0

    def kill(self) -> None:
        self.kills += 1
        self.exitcode = -signal.SIGKILL

    def join(self) -> None:
        assert self.exitcode is not None


class FakeWait:
    """A RunQueueWait whose value the test sets."""

    def __init__(self, process: int = 0) -> None:
        self.waited = 0.0

    def seconds(self) -> float:
        return self.waited

    def close(self) -> None:
        """Does nothing: nothing is open."""


def fake_child() -> Any:
    """A child without a process or a pipe."""
    return Child(FakeProcess(), SimpleNamespace(close=lambda: None))  # type: ignore[arg-type]
