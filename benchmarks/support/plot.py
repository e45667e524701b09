"""Plots as SVG: scales, colours, labels that do not overlap, and lines over a common axis as a file of its own, for
documents: memory by pages, cost by what is stored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

LETTER: Final = 6.6
"""Width of a letter of 12 px sans-serif on average, a little more than less."""
LINE: Final = 14.0
"""From one line of text to the next."""
TEXT_HEIGHT: Final = 13.0
"""What a line of text covers of that."""
ASCENT: Final = 11.0
"""How far a line reaches above where it stands."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label at a position, which is its beginning ("start") or its end ("end")."""

    x: float
    y: float
    words: str
    anchor: str = "start"
    faint: bool = False
    colour: str = ""
    """That of what it names; "" for the plot's own."""

    @property
    def width(self) -> float:
        """About, whatever the reader's font."""
        return LETTER * len(self.words)

    def svg(self) -> str:
        """The text element."""
        faint = ' fill-opacity="0.7"' if self.faint else ""
        colour = f' style="fill:{self.colour}"' if self.colour else ""
        place = f'x="{self.x:.1f}" y="{self.y:.1f}" text-anchor="{self.anchor}"'
        return f"<text{faint}{colour} {place}>{escape(self.words)}</text>"

    def overlaps(self, other: Label) -> bool:
        """Whether both overlap."""
        left, theirs = self._left, other._left
        apart = left + self.width <= theirs or theirs + other.width <= left
        return not apart and abs(self.y - other.y) < TEXT_HEIGHT

    @property
    def _left(self) -> float:
        return self.x if self.anchor == "start" else self.x - self.width


def apart(labels: Sequence[Label], top: float, bottom: float) -> list[Label]:
    """The labels in their order, each as near to its place as it can be without touching another.

    They are moved up and down only, between `top` and `bottom`; where there is no room at all, a label stays.
    """
    placed: dict[int, Label] = {}
    for number in sorted(range(len(labels)), key=lambda one: labels[one].y):
        placed[number] = _free(labels[number], list(placed.values()), top, bottom)
    return [placed[number] for number in range(len(labels))]


def _free(label: Label, placed: Sequence[Label], top: float, bottom: float) -> Label:
    """The nearest place that is free: where it is, or just below or above one of the others."""
    places = [label.y, *(other.y + way * LINE for other in placed for way in (1, -1))]
    for y in sorted(places, key=lambda place: abs(place - label.y)):
        moved = replace(label, y=y)
        if top + ASCENT <= y <= bottom and not any(moved.overlaps(other) for other in placed):
            return moved
    return label


COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")
"""Okabe and Ito's palette, which colour-blind people can distinguish."""
PLOT: Final = 454
"""Width of the plot itself; the names of the lines stand beside it."""
HEIGHT: Final = 320
LEFT: Final = 56
GAP: Final = 5
TOP: Final = 16
BOTTOM: Final = 44
_STYLE: Final = "text{font:12px sans-serif;fill:#222}"


@dataclass(frozen=True, slots=True)
class Axis:
    """Converts values to coordinates."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Returns about five round values of the axis."""
        step = next(s for s in (0.01, 0.02, 0.05, 0.1, 0.2, 1.0) if (self.high - self.low) / s <= 6)
        first = math.ceil(self.low / step - 1e-9)
        return [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def colour(index: int) -> str:
    """Returns the colour of the system at this position in the legend."""
    return COLOURS[index % len(COLOURS)]


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
