"""Two plots as inline SVG: precision against recall per system, and every page's F1, sorted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from newscrawl.bench.peers import PREFIX

WIDTH: Final = 560
HEIGHT: Final = 420
LEFT: Final = 46
RIGHT: Final = 14
TOP: Final = 14
BOTTOM: Final = 40
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")
"""Okabe and Ito's palette, which colour-blind people can distinguish."""
CONTOURS: Final = (0.7, 0.8, 0.85, 0.9, 0.95)
MIN_SPAN: Final = 0.1
POINTS: Final = 200
"""Largest number of points of a sorted line; more would not change its shape."""


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


def precision_recall(points: Mapping[str, tuple[float, float]]) -> str:
    """Returns a numbered dot for each system (a ring for a peer) over lines of equal F1. Numbers are positions in
    `points`."""
    recalls, precisions = [r for _, r in points.values()], [p for p, _ in points.values()]
    across = Axis(*_range(recalls), LEFT, WIDTH - RIGHT)
    up = Axis(*_range(precisions), HEIGHT - BOTTOM, TOP)
    parts = [_frame(across, up, "recall", "precision"), *(_contour(f1, across, up) for f1 in CONTOURS)]
    for index, (name, (precision, recall)) in enumerate(points.items()):
        fill = "#fff" if name.startswith(PREFIX) else colour(index)
        ink = colour(index) if name.startswith(PREFIX) else "#fff"
        label = f"{name}: precision {precision:.3f}, recall {recall:.3f}"
        parts.append(
            f'<g transform="translate({across(recall):.1f} {up(precision):.1f})"><title>{escape(label)}</title>'
            f'<circle r="8" fill="{fill}" stroke="{colour(index)}" stroke-width="2"/>'
            f'<text class="dot" fill="{ink}" y="3.2">{index + 1}</text></g>'
        )
    return _svg("Precision against recall, a dot a system", parts)


def sorted_pages(lines: Mapping[str, Sequence[float]]) -> str:
    """Returns a line for each system: the F1 of its pages from worst to best, over the share of pages."""
    across, up = Axis(0, 1, LEFT, WIDTH - RIGHT), Axis(0, 1, HEIGHT - BOTTOM, TOP)
    parts = [_frame(across, up, "share of pages, worst first", "F1 of the page")]
    for index, (name, values) in enumerate(lines.items()):
        ordered = _thinned(sorted(values))
        last = max(1, len(ordered) - 1)
        points = " ".join(f"{across(n / last):.1f},{up(value):.1f}" for n, value in enumerate(ordered))
        dash = ' stroke-dasharray="5 3"' if name.startswith(PREFIX) else ""
        parts.append(
            f'<polyline fill="none" stroke="{colour(index)}" stroke-width="1.8"{dash} points="{points}">'
            f"<title>{escape(name)}</title></polyline>"
        )
    return _svg("F1 of every page, sorted", parts)


def _thinned(values: Sequence[float]) -> Sequence[float]:
    if len(values) <= POINTS:
        return values
    return [values[round(n * (len(values) - 1) / (POINTS - 1))] for n in range(POINTS)]


def _range(values: Sequence[float]) -> tuple[float, float]:
    low = math.floor((min(values, default=0.0) - 0.01) * 50) / 50
    return max(0.0, min(low, 1 - MIN_SPAN)), 1.0


def _contour(f1: float, across: Axis, up: Axis) -> str:
    """The line of points with this F1, within the plot."""
    points = []
    for n in range(101):
        recall = across.low + (across.high - across.low) * n / 100
        if 2 * recall > f1:
            precision = f1 * recall / (2 * recall - f1)
            if up.low <= precision <= up.high:
                points.append(f"{across(recall):.1f},{up(precision):.1f}")
    if len(points) < 2:
        return ""
    x, y = points[-1].split(",")
    line = f'<polyline class="grid" stroke-dasharray="2 3" points="{" ".join(points)}"/>'
    return f'{line}<text class="tick" text-anchor="end" x="{x}" y="{float(y) - 3:.1f}">F1 {f1:g}</text>'


def _frame(across: Axis, up: Axis, below: str, beside: str) -> str:
    parts = []
    for value in across.ticks():
        x = across(value)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{up.start:.1f}" y2="{up.end:.1f}"/>')
        parts.append(f'<text class="tick" text-anchor="middle" x="{x:.1f}" y="{up.start + 16:.1f}">{value:.2f}</text>')
    for value in up.ticks():
        y = up(value)
        parts.append(f'<line class="grid" x1="{across.start:.1f}" x2="{across.end:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick" text-anchor="end" x="{LEFT - 6}" y="{y + 4:.1f}">{value:.2f}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text class="tick" text-anchor="middle" x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}">{below}</text>')
    parts.append(
        f'<text class="tick" text-anchor="middle" transform="translate(11 {middle}) rotate(-90)">{beside}</text>'
    )
    return "".join(parts)


def _svg(label: str, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
