"""How long a process waited for a core while other processes had them: such time counts towards no time-out."""

from __future__ import annotations

import os
from contextlib import suppress


class RunQueueWait:
    """Seconds that a process was ready to run while others had the cores, since its start.

    Linux counts them for the first thread of each process, a wait when it has ended (proc(5), schedstat). Elsewhere,
    and for a process that is gone, the last value that was read counts: 0 at first.
    """

    def __init__(self, process: int) -> None:
        self._seconds = 0.0
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(f"/proc/{process}/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def seconds(self) -> float:
        """The value of now; reading it takes microseconds."""
        if self._file is not None:
            with suppress(OSError, IndexError):  # the process is gone
                self._seconds = int(os.pread(self._file, 100, 0).split()[1]) / 1e9
        return self._seconds

    def close(self) -> None:
        """Stop reading; `seconds` keeps its last value."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
