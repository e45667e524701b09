"""Lines over a common axis as an SVG file of its own, for documents: memory by pages, cost by what is stored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from newscrawl.bench.svg import Axis, colour

WIDTH: Final = 640
HEIGHT: Final = 320
LEFT: Final = 56
RIGHT: Final = 130
TOP: Final = 16
BOTTOM: Final = 44
_STYLE: Final = "text{font:12px sans-serif;fill:#222}"


def lines(series: Mapping[str, Sequence[tuple[float, float]]], below: str, beside: str) -> str:
    """A line for each name through its points (x, y). Both axes begin at 0; `below` and `beside` name them."""
    points = [point for of_name in series.values() for point in of_name]
    across = Axis(0, max((x for x, _ in points), default=1) or 1, LEFT, WIDTH - RIGHT)
    up = Axis(0, 1.1 * max((y for _, y in points), default=1) or 1, HEIGHT - BOTTOM, TOP)
    parts = [_grid(across, up), _text(LEFT, 12, beside, "start"), _text(WIDTH / 2, HEIGHT - 8, below, "middle")]
    for number, (name, of_name) in enumerate(series.items()):
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in of_name)
        parts.append(f'<polyline fill="none" stroke="{colour(number)}" stroke-width="1.8" points="{path}"/>')
        if of_name:
            parts.append(_text(across(of_name[-1][0]) + 5, up(of_name[-1][1]) + 4, name, "start"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(beside)} against {escape(below)}"><style>{_STYLE}</style>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _grid(across: Axis, up: Axis) -> str:
    parts = []
    for value in _ticks(across):
        x = across(value)
        parts.append(f'<line stroke="#ddd" x1="{x:.1f}" x2="{x:.1f}" y1="{up.start}" y2="{up.end}"/>')
        parts.append(_text(x, up.start + 16, f"{value:,g}", "middle"))
    for value in _ticks(up):
        y = up(value)
        parts.append(f'<line stroke="#ddd" x1="{across.start}" x2="{across.end}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{value:,g}", "end"))
    return "".join(parts)


def _ticks(axis: Axis) -> list[float]:
    """Round values from 0 on, about five."""
    rough = axis.high / 5
    decade = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * decade for factor in (1, 2, 5, 10) if factor * decade >= rough)
    return [number * step for number in range(int(axis.high / step) + 1)]


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
