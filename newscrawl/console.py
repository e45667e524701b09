"""Tables and progress bars of rich on a terminal that `newscrawl.terminal` guards: their codes pass, texts are escaped.

Every console of this package is made here. A plain `rich.console.Console` on a guarded terminal shows its own codes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderHook
from rich.file_proxy import FileProxy
from rich.segment import Segment

from newscrawl.terminal import TerminalStream, escaped


class SafeConsole(Console):
    """As rich's, but texts are escaped and link to nothing."""

    @property
    def file(self) -> IO[str]:
        """Where to: past the guard of a terminal."""
        found = super().file
        return _Codes(found) if isinstance(found, TerminalStream) else found  # type: ignore[return-value]

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """As rich renders, with texts escaped."""
        for segment in super().render(renderable, options):
            style = segment.style
            if segment.control:
                yield segment
            else:
                plain = style.update_link(None) if style is not None and style.link else style
                yield Segment(escaped(segment.text), plain)

    def push_render_hook(self, hook: RenderHook) -> None:
        """As rich's. A live display has put itself in place of the standard streams by now, and reads codes there."""
        super().push_render_hook(hook)
        if isinstance(sys.stdout, FileProxy):
            sys.stdout = _Escaping(sys.stdout)
        if isinstance(sys.stderr, FileProxy):
            sys.stderr = _Escaping(sys.stderr)


class _Codes:
    """A guarded terminal as rich writes to it."""

    def __init__(self, stream: TerminalStream) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write the text as it is."""
        self._stream.write_codes(text)
        return len(text)


class _Escaping:
    """A stream that a live display shows above itself, given escaped text."""

    def __init__(self, stream: FileProxy) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write the text, escaped."""
        return self._stream.write(escaped(text))
