"""Escapes control characters in texts printed to a terminal, so that no text moves its cursor, renames its window or
reverses letters.

Commands print texts from pages, feeds, servers and declarations. While standard output or standard error is a terminal,
everything printed passes through `TerminalStream`, which escapes it. Files and pipes get texts unchanged. newscrawl's
own colours and cursor codes bypass it, with `write_codes` or `newscrawl.config.logs.console`.

What cannot be written to standard error (its reader has ended, its disk is full) is dropped: a line for an operator
must not keep a command from its work or from its end.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
from typing import Any, Final

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""C0 without tab and line feed, DEL, C1, line and paragraph separators, and marks that change the text direction."""


def escaped(text: str) -> str:
    """Returns the text with control characters written as JSON writes them."""
    return _CONTROL.sub(_as_json, text)


def one_line(text: str) -> str:
    """Returns the text on one line, escaped: for a cell of a table or a part of a line."""
    return escaped(" ".join(text.split()))


def _as_json(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


class TerminalStream(io.TextIOWrapper):
    """A text stream to a terminal that escapes everything written. Line ends may be CR LF, as in CSV."""

    def write(self, text: str, /) -> int:
        """Writes the text, escaped; returns its length."""
        super().write("\r\n".join(map(escaped, text.split("\r\n"))))
        return len(text)

    def write_codes(self, text: str) -> None:
        """Writes the text unchanged: for newscrawl's own codes only."""
        super().write(text)


class _Dropping(io.TextIOWrapper):
    """A text stream that drops what it cannot write."""

    def write(self, text: str, /) -> int:
        """Writes the text, or drops it; returns its length."""
        with contextlib.suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Writes what is left, if it can be written."""
        with contextlib.suppress(OSError):
            super().flush()


class _DroppingTerminal(TerminalStream, _Dropping):
    """A terminal that drops what it cannot write, such as one that was closed."""


def write_codes(codes: str) -> None:
    """Writes newscrawl's own cursor codes to standard error."""
    stream = sys.stderr
    if isinstance(stream, TerminalStream):
        stream.write_codes(codes)
    else:
        stream.write(codes)


def guard_terminals() -> None:
    """Escapes everything that this process prints to a terminal from now on, and drops what cannot be written to
    standard error. May be called again."""
    open_closed_streams()
    if _is_plain(sys.stdout) and sys.stdout.isatty():
        sys.stdout = _guarded(sys.stdout, TerminalStream)
    if _is_plain(sys.stderr):
        sys.stderr = _guarded(sys.stderr, _DroppingTerminal if sys.stderr.isatty() else _Dropping)


def open_closed_streams() -> None:
    """Opens the null device for each standard stream with which this process began closed (`2>&-`). Python has None in
    its place, and the next file would get its number, to which libraries write errors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, PTH123  for the life of the process
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def _is_plain(stream: object) -> bool:
    """Returns whether it is a stream of Python's own. Any other, or none, stays as it is."""
    return type(stream) is io.TextIOWrapper


def _guarded(stream: Any, kind: type[io.TextIOWrapper]) -> io.TextIOWrapper:
    with contextlib.suppress(OSError):
        stream.flush()
    is_ascii_terminal = stream.isatty() and codecs.lookup(stream.encoding).name == "ascii"
    return kind(
        stream.buffer,
        encoding="utf-8" if is_ascii_terminal else stream.encoding,
        errors="backslashreplace",
        line_buffering=True,
        write_through=stream.write_through,
    )
