"""Measures how long a process waited for a core while other processes used them. No time-out counts that time."""

from __future__ import annotations

import os
from contextlib import suppress


class RunQueueWait:
    """The seconds that a process was ready to run while others had the cores, since its start.

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
