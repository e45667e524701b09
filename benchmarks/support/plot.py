"""Lines over a common axis as an SVG file of its own, for documents: memory by pages, cost by what is stored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from benchmarks.support.labels import Label, apart
from newscrawl.bench.svg import Axis, colour

PLOT: Final = 454
"""Width of the plot itself; the names of the lines stand beside it."""
HEIGHT: Final = 320
LEFT: Final = 56
GAP: Final = 5
TOP: Final = 16
BOTTOM: Final = 44
_STYLE: Final = "text{font:12px sans-serif;fill:#222}"


def lines(series: Mapping[str, Sequence[tuple[float, float]]], below: str, beside: str) -> str:
    """A line for each name through its points (x, y). Both axes begin at 0; `below` and `beside` name them."""
    points = [point for of_name in series.values() for point in of_name]
    across = Axis(0, max((x for x, _ in points), default=1) or 1, LEFT, LEFT + PLOT)
    up = Axis(0, 1.1 * max((y for _, y in points), default=1) or 1, HEIGHT - BOTTOM, TOP)
    named = _names(series, across, up)
    width = round(LEFT + PLOT + 2 * GAP + max((label.width for label in named), default=0.0))
    parts = [_grid(across, up), _text(LEFT, 12, beside, "start"), _text(LEFT + PLOT / 2, HEIGHT - 8, below, "middle")]
    for number, of_name in enumerate(series.values()):
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in of_name)
        parts.append(f'<polyline fill="none" stroke="{colour(number)}" stroke-width="1.8" points="{path}"/>')
    parts += [label.svg() for label in named]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img" '
        f'aria-label="{escape(beside)} against {escape(below)}"><style>{_STYLE}</style>'
        f'<rect width="{width}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _names(series: Mapping[str, Sequence[tuple[float, float]]], across: Axis, up: Axis) -> list[Label]:
    """The names of the lines right of the plot, each beside the end of its line as far as there is room."""
    found = [
        Label(across.end + GAP, up(of_name[-1][1]) + 4, name, colour=colour(number))
        for number, (name, of_name) in enumerate(series.items())
        if of_name
    ]
    return apart(found, TOP, HEIGHT - BOTTOM)


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
