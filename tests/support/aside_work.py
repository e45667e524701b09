"""The work of the child process in the tests of ChildProcess. It is a module of its own, because the child imports
it by name."""

from __future__ import annotations

import logging
import os
import signal

from newscrawl.errors import DatabaseUnavailable

SECRET = " for https://user:password@a.example/"


class Counter:
    """Counts, logs it, and kills its process at zero; at 99 it never answers."""

    def __init__(self, start: int) -> None:
        self.at = start

    def add(self, number: int) -> tuple[int, int]:
        if number == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise ValueError(f"{number} is less\nthan nothing")
        if number == 13:
            raise DatabaseUnavailable("the database is away")
        if number == 99:
            signal.pause()
        self.at += number
        logging.getLogger("aside.counter").warning("added %d%s", number, SECRET if number == 7 else "")
        return self.at, os.getpid()

    def close(self) -> None:
        """Does nothing: nothing is open."""
