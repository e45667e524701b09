"""Names of processes that are stored in a database, and whether the process with a name has ended.

The lease of a process that died expires. If the process ran on this machine, nobody has to wait for that: the name
identifies it, so another process can check whether it still runs.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Final

PART: Final = "#"
"""Separates the name of a process from that of a part of it."""


def this_process() -> str:
    """Returns the owner name of this process in leases: host, process id, and its start, to distinguish equal ids."""
    return f"{socket.gethostname()}/{os.getpid()}/{_machine()}.{_started(os.getpid())}"


def is_dead(owner: str) -> bool:
    """Returns whether the owner was a process of this machine (since its start, in this container) that has ended."""
    parts = owner.partition(PART)[0].rsplit("/", 2)
    if len(parts) != 3 or parts[0] != socket.gethostname() or not parts[1].isdigit():
        return False
    machine, _, started = parts[2].rpartition(".")
    return bool(machine) and machine == _machine() and _started(int(parts[1])) != started


def _machine() -> str:
    """Returns an id of this start of the machine and of this process's pid name space (a container has its own)."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip().replace("-", "")
        space = "".join(filter(str.isdigit, str(Path("/proc/self/ns/pid").readlink())))
    except OSError:
        return ""
    return f"{boot[:12]}-{space}"


def _started(process: int) -> str:
    """Returns when a process started, in the kernel's ticks; "" if it does not run (or if there is no /proc)."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in {"Z", "X"} else fields[19]
