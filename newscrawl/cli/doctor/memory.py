"""The check of `newscrawl doctor` on the memory of the machine or container. It needs no settings."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from newscrawl.cli.doctor.findings import Findings, ok, skipped, to_do
from newscrawl.wording import counted

GIGABYTE: Final = 10**9
MIN_MEMORY: Final = 1_800_000_000
"""Bytes of memory for a fleet: docs/how-to/deploy.md says 2 GB, and a machine sold with 2 GB reports a little less."""
MIN_FREE_MEMORY: Final = 400_000_000
"""Bytes that the first worker processes need."""
_MEMORY_INFO: Final = Path("/proc/meminfo")
_CONTAINER_LIMIT: Final = Path("/sys/fs/cgroup/memory.max")


def check_memory(workers: int) -> Findings:
    """Returns whether the machine or container has the memory of a fleet. `workers` is the number of worker processes,
    0 for one for each core."""
    try:
        total, free = _memory()
    except (OSError, KeyError, ValueError):
        return [skipped("memory", "this system does not say how much there is")]
    number = workers or os.cpu_count() or 1
    text = f"{_gb(total)}, {_gb(free)} free, for {counted(number, 'worker')}"
    if total < MIN_MEMORY:
        return [to_do("memory", text, "give it 2 GB, or set NEWSCRAWL_EXTRACT_WORKERS=1 and crawl few sites at once")]
    if free < MIN_FREE_MEMORY:
        return [to_do("memory", text, "end other programs, or set NEWSCRAWL_EXTRACT_WORKERS to fewer workers")]
    return [ok("memory", text)]


def _memory() -> tuple[int, int]:
    """Returns the bytes of memory, all and free, of the machine or of its container if that has less."""
    lines = dict(line.split(":", 1) for line in _MEMORY_INFO.read_text(encoding="utf-8").splitlines())
    total, free = (int(lines[name].split()[0]) * 1_024 for name in ("MemTotal", "MemAvailable"))
    with contextlib.suppress(OSError, ValueError):  # "max", or no control group
        limit = int(_CONTAINER_LIMIT.read_text(encoding="utf-8"))
        total, free = min(total, limit), min(free, limit)
    return total, free


def _gb(number: int) -> str:
    return f"{number / GIGABYTE:.1f} GB"
