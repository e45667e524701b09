"""A pseudo-terminal of a test: this process prints to it as if a person used the terminal."""

from __future__ import annotations

import io
import os
import pty
import sys
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class Shown:
    """The output on the terminal. It is complete when the block is left."""

    def __init__(self) -> None:
        self.data = b""

    @property
    def text(self) -> str:
        """Returns the output as text. A terminal that reads 8-bit controls reads the same."""
        return self.data.decode()


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shown]:
    """Standard output and standard error are a terminal within the block."""
    holder, user = pty.openpty()
    tty.setraw(user)  # else the line discipline adds carriage returns
    shown = Shown()

    def read() -> None:
        while True:
            try:
                data = os.read(holder, 65_536)
            except OSError:  # nobody has the terminal open any more
                return
            if not data:
                return
            shown.data += data

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    out, err = (io.TextIOWrapper(os.fdopen(os.dup(user), "wb", 0), "utf-8", write_through=True) for _ in range(2))
    os.close(user)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            patch.setenv("TERM", "xterm-256color")
            patch.delenv("NO_COLOR", raising=False)
            patch.setenv("COLUMNS", "200")
            try:
                yield shown
            finally:
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()
                    if stream not in (out, err):  # what stands in front of them leaves them to us
                        stream.detach()
    finally:
        out.close()
        err.close()
        reader.join(10)
        os.close(holder)
