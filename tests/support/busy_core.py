"""Keeps a core busy with another process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BUSY = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.nice(%d)
print(flush=True)
while True:
    pass
"""

needs_schedstat = pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not tell")


@contextmanager
def busy(nice: int) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a process that uses the first core all the time."""
    with subprocess.Popen([sys.executable, "-c", BUSY % nice], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process
        finally:
            process.kill()
