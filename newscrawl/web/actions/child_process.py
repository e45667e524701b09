"""Ends a process that an action started."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import Final

END_SECONDS: Final = 5.0
"""Seconds that a process has to end by itself, for example to release its hosts."""


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process, and all that it started, if it still runs. It must be the leader of its session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        try:
            os.killpg(process.pid, number)
            process.wait(END_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # it was closed at the other end
                pipe.close()
