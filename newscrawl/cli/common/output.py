"""Writes the output files of commands completely or not at all, with one line of error."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

from newscrawl.errors import OutputError, os_reason

STANDARD_OUTPUT: Final = "-"
BOM: Final = "\ufeff"
"""Without this mark, Excel reads a CSV file in the encoding of its country."""
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
"""Error numbers of a disk or device that accepts no more data."""


def write_text(path: Path, content: str) -> None:
    """Writes a text file. Raises OutputError."""
    with opened(str(path)) as file:
        file.write(content)


@contextlib.contextmanager
def opened(output: str, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Opens standard output for "-", or a file that gets its name only when it is complete. Devices, pipes and targets
    of links are written in place. Raises OutputError."""
    if output == STANDARD_OUTPUT:
        yield sys.stdout.buffer if binary else sys.stdout
        return
    target = Path(os.path.realpath(output))
    with _naming_output(output):
        if target.exists() and not target.is_file() and not target.is_dir():
            with _open(target, binary=binary) as file:
                yield file
            return
        if target.is_dir():
            raise OutputError(output, "it is a folder; name a file in it")
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with _open(handle, binary=binary) as file:
                yield file
            Path(name).chmod(0o666 & ~_umask())
            Path(name).replace(target)
        finally:
            Path(name).unlink(missing_ok=True)


def require_folder_of(path: Path) -> None:
    """Checks before a long run that its result can be written. Raises OutputError."""
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise OutputError(path, f"no folder {path.parent} that can be written to; name a file in another")


@contextlib.contextmanager
def _naming_output(output: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(output, f"{os_reason(error)}; give another file") from error


def _open(file: Path | int, *, binary: bool) -> IO[Any]:
    return open(file, "wb") if binary else open(file, "w", encoding="utf-8", newline="")  # noqa: PTH123


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
