"""Files that appear under their name when they are complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from newscrawl import failpoints


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Yields the path of a temporary file beside `target`. After the block, the file is flushed to the disk and renamed
    to `target`.

    If the block fails, the file is removed. The remainder of a killed process is removed first. Raises OSError.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        failpoints.hit(failpoints.COPY_WRITTEN)
        part.rename(target)
        _flush_name(target.parent)
    finally:
        with suppress(OSError):
            part.unlink()


def _flush_name(folder: Path) -> None:
    """Flushes the folder, so that the new name survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
