"""rich's tables and progress bars on a terminal that `newscrawl.config.logs.terminal` guards: their codes pass, texts
are escaped.

Every console of newscrawl is made here. A plain `rich.console.Console` on a guarded terminal would print its codes as
escaped text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderHook
from rich.file_proxy import FileProxy
from rich.segment import Segment

from newscrawl.config.logs.terminal import TerminalStream, escaped


class SafeConsole(Console):
    """rich's console with texts escaped and without links."""

    @property
    def file(self) -> IO[str]:
        """The stream to write to, without the guard of a terminal."""
        found = super().file
        return _Codes(found) if isinstance(found, TerminalStream) else found  # type: ignore[return-value]

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Renders as rich does, with texts escaped."""
        for segment in super().render(renderable, options):
            style = segment.style
            if segment.control:
                yield segment
            else:
                plain = style.update_link(None) if style is not None and style.link else style
                yield Segment(escaped(segment.text), plain)

    def push_render_hook(self, hook: RenderHook) -> None:
        """Adds a hook as rich does. A live display has replaced the standard streams at this point, and it interprets
        codes."""
        super().push_render_hook(hook)
        if isinstance(sys.stdout, FileProxy):
            sys.stdout = _Escaping(sys.stdout)
        if isinstance(sys.stderr, FileProxy):
            sys.stderr = _Escaping(sys.stderr)


class _Codes:
    """A guarded terminal without its guard, for rich."""

    def __init__(self, stream: TerminalStream) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Writes the text unchanged."""
        self._stream.write_codes(text)
        return len(text)


class _Escaping:
    """A stream that a live display shows above itself; it escapes the text."""

    def __init__(self, stream: FileProxy) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Writes the text, escaped."""
        return self._stream.write(escaped(text))
