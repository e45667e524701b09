"""Writes timings and growth as Markdown tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from newscrawl.bench.speed.growth import LIMIT, Growth
from newscrawl.bench.speed.timing import Timing


def timing_table(timings: Sequence[Timing]) -> str:
    """Returns a Markdown table of milliseconds a page and multiples of the bare parse."""
    rows = [
        [t.name, f"{t.milliseconds:.3f}", f"{t.ratio:.2f}", f"{t.least:.2f}-{t.greatest:.2f}", _megabytes(t)]
        for t in timings
    ]
    return _table(["part", "ms a page", "x lxml", "range", "peak, MB"], rows)


def growth_table(growths: Sequence[Growth]) -> str:
    """Returns a row for each step, a column for each shape. Factors over the limit are marked."""
    shapes = list(dict.fromkeys(growth.shape for growth in growths))
    stages = list(dict.fromkeys(growth.stage for growth in growths))
    cells = {(growth.stage, growth.shape): growth for growth in growths}
    rows = [[stage, *(_factor(cells[stage, shape]) for shape in shapes)] for stage in stages]
    return (
        _table(["growth for a page of double size", *shapes], rows)
        + f"\n\n(`*`: more than {LIMIT}; `-`: too little to measure)"
    )


def as_json(timings: Sequence[Timing], growths: Sequence[Growth], facts: dict[str, Any]) -> dict[str, Any]:
    """Returns all figures."""
    return {
        "facts": facts,
        "timings": [asdict(timing) for timing in timings],
        "growth": [asdict(growth) for growth in growths],
    }


def _megabytes(timing: Timing) -> str:
    return "" if timing.peak_megabytes is None else f"{timing.peak_megabytes:.0f}"


def _factor(growth: Growth) -> str:
    if growth.factor is None:
        return "-"
    return f"{growth.factor:.2f}" + ("" if growth.is_linear else "*")


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
