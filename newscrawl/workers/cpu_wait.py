"""How long a process was kept from the cores: time that a page of its waited is none that it took."""

from __future__ import annotations

import os


class RunQueueWait:
    """Seconds that a process was ready to run while others had the cores, since its start.

    Linux counts them for the first thread of each process, a wait when it has ended (proc(5), schedstat); elsewhere,
    and of a process that is gone, what was last seen counts: 0 at first.
    """

    def __init__(self, process: int) -> None:
        self._seconds = 0.0
        self._file: int | None = None
        try:
            self._file = os.open(f"/proc/{process}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return

    def seconds(self) -> float:
        """Read anew, which takes microseconds."""
        if self._file is None:
            return self._seconds
        try:
            _, waited, _ = os.pread(self._file, 100, 0).split()
        except (OSError, ValueError):  # it is gone
            return self._seconds
        self._seconds = int(waited) / 1e9
        return self._seconds

    def close(self) -> None:
        """No more looks."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
