"""Files that appear under their name when they are complete."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from newscrawl import failpoints
from newscrawl.storage.engine.database import create_private

LEFT_OVERS: Final = ("-wal", "-shm", "-journal")
"""Endings of files that belong to one SQLite database and would damage another database of the same name."""


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Yields the path of a temporary file beside `target`. After the block, the file is flushed to the disk and renamed
    to `target`. It is empty, and other users cannot read it.

    The temporary name has the number of this process, so two processes never write one file. If the block fails, the
    file is removed. The remainders of killed processes are removed first. Raises OSError.
    """
    _remove_remainders(target)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        create_private(part)
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        failpoints.hit(failpoints.COPY_WRITTEN)
        part.rename(target)
        _flush_name(target.parent)
    finally:
        with suppress(OSError):
            _remove(part)


def _remove_remainders(target: Path) -> None:
    """Removes the temporary files of this process and of processes that have ended. Raises OSError."""
    name = re.compile(rf"{re.escape(target.name)}\.(\d+)\.part")
    for path in target.parent.iterdir():
        found = name.match(path.name)
        if found and not _is_running(int(found[1])):
            _remove(path.with_name(found[0]))


def _is_running(process: int) -> bool:
    """Returns whether another process of this machine has the number `process`."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # a process of another user
    return True


def _remove(part: Path) -> None:
    """Removes a temporary file and what SQLite wrote beside it. Raises OSError."""
    for ending in ("", *LEFT_OVERS):
        part.with_name(f"{part.name}{ending}").unlink(missing_ok=True)


def _flush_name(folder: Path) -> None:
    """Flushes the folder, so that the new name survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
