"""Finds what tests must not leave behind: threads of newscrawl, open databases, child processes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

GRACE_SECONDS: Final = 60.0
"""What has been told to end may take so long on a busy machine; what has ended is not waited for."""
THREAD_PREFIX: Final = "newscrawl-"
DATABASE_SUFFIXES: Final = (".db", ".db-wal", ".db-shm")
KEPT: Final = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""Helpers that Python itself keeps until its end, by a part of their command line."""

_PROC: Final = Path("/proc")
_POLL_SECONDS: Final = 0.05


def leaks_after(grace: float = GRACE_SECONDS, before: Collection[str] = ()) -> list[str]:
    """What is still there after at most `grace` seconds, a line each; nothing is the rule and then it does not wait.

    Nor does it wait for lines of `before`, such as the template process, and it does not return them.
    """
    until = time.monotonic() + grace
    while (found := [line for line in leaks() if line not in before]) and time.monotonic() < until:
        time.sleep(_POLL_SECONDS)
    return found


def leaks() -> list[str]:
    """Returns the present threads, databases and processes, one a line. Descriptors and processes are listed only
    with /proc."""
    return [*_threads(), *_databases(), *_children(os.getpid())]


def _threads() -> Iterator[str]:
    for thread in threading.enumerate():
        if thread.name.startswith(THREAD_PREFIX):
            yield f"thread {thread.name}"


def _databases() -> Iterator[str]:
    folder = _PROC / "self" / "fd"
    for link in folder.iterdir() if folder.is_dir() else ():
        try:
            target = str(link.readlink())
        except OSError:
            continue  # closed meanwhile, such as the one that lists this folder
        if target.removesuffix(" (deleted)").endswith(DATABASE_SUFFIXES):
            yield f"open file {target}"


def _children(parent: int) -> Iterator[str]:
    for folder in _PROC.iterdir() if (_PROC / "self").exists() else ():
        if not folder.name.isdigit():
            continue
        try:
            # "pid (name) state ppid ...": the name may hold blanks and brackets.
            state, ppid = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
        except (OSError, ValueError):
            continue  # it ended meanwhile
        if int(ppid) == parent and not any(kept in command for kept in KEPT):
            yield f"process {folder.name} ({state}) {command[:100]}"
