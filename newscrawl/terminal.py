"""What a terminal is given: text in which nothing makes it move its cursor, rename its window or turn letters around.

Pages, feeds, servers and declarations name texts that commands print. So the streams themselves escape: while standard
output or standard error is a terminal, whatever is printed goes through `TerminalStream`. Files and pipes get texts as
they are. Colours and cursor codes of our own go past it, with `write_codes` or `newscrawl.console`.
"""

from __future__ import annotations

import codecs
import io
import re
import sys
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""C0 without tab and line feed, DEL, C1, separators of lines and paragraphs, and marks that change the direction."""


def escaped(text: str) -> str:
    """The text with control characters written as JSON writes them."""
    return _CONTROL.sub(_as_json, text)


def one_line(text: str) -> str:
    """The text on one line, escaped: for a cell of a table, or a part of a line."""
    return escaped(" ".join(text.split()))


def _as_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


class TerminalStream(io.TextIOWrapper):
    """A text stream to a terminal that escapes what is written. Ends of lines may be CR LF, as in CSV."""

    def write(self, text: str, /) -> int:
        """Write the text, escaped; returns its length."""
        super().write("\r\n".join(map(escaped, text.split("\r\n"))))
        return len(text)

    def write_codes(self, text: str) -> None:
        """Write the text as it is: for codes of our own only."""
        super().write(text)


def write_codes(codes: str) -> None:
    """Write cursor codes of our own to standard error."""
    stream = sys.stderr
    if isinstance(stream, TerminalStream):
        stream.write_codes(codes)
    else:
        stream.write(codes)


def guard_terminals() -> None:
    """From now on what this process prints to a terminal is escaped. May be called again."""
    sys.stdout = _guarded(sys.stdout)
    sys.stderr = _guarded(sys.stderr)


def _guarded(stream: io.TextIOBase | object) -> io.TextIOWrapper:
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, TerminalStream) or not stream.isatty():
        return stream  # type: ignore[return-value]  # whatever it is, it stays
    stream.flush()
    return TerminalStream(
        stream.buffer,
        encoding="utf-8" if codecs.lookup(stream.encoding).name == "ascii" else stream.encoding,
        errors="backslashreplace",
        line_buffering=True,
        write_through=stream.write_through,
    )
