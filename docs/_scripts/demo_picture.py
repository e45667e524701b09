"""The picture in the README: what `make demo` prints, drawn as a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

OUTPUT: Final = Path(__file__).with_name("demo.txt")
"""What the demo printed; a test runs the demo and compares."""
LETTER: Final = 7.83
"""Width of a letter of 13 pixels in the fonts named below."""
LINE: Final = 17
MARGIN: Final = 16
TITLE: Final = 30
"""Height of the bar with the command."""
FONTS: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def drawing() -> str:
    """The picture as SVG."""
    return terminal("make demo", OUTPUT.read_text(encoding="utf-8").rstrip("\n").split("\n"))


def terminal(command: str, printed: Sequence[str]) -> str:
    """A window with the command in its bar and the lines that it printed."""
    width = round(max(map(len, [command, *printed])) * LETTER + 2 * MARGIN)
    height = TITLE + LINE * len(printed) + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"',
        f'     font-family="{FONTS}" font-size="13">',
        f"<title>What {escape(command)} prints</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#1b1f24"/>',
        f'<rect width="{width}" height="{TITLE}" rx="8" fill="#30363d"/>',
        f'<text x="{MARGIN}" y="20" fill="#d0d7de">$ {escape(command)}</text>',
    ]
    for place, line in enumerate(printed):
        top = TITLE + MARGIN + 12 + place * LINE
        lines.append(f'<text x="{MARGIN}" y="{top}" fill="#e6edf3" xml:space="preserve">{escape(line)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
