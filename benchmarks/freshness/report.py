"""Writes the figures of the simulation as tables and two plots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from benchmarks.freshness.announced import ALL, STYLES, AnnouncedOutcome
from benchmarks.freshness.measure import SeedResult, mean
from benchmarks.freshness.run import Outcome
from benchmarks.support.plot import COLOURS, Label, apart

GOALS: Final = (
    ("requests_at_median", "requests for sources at our median delay", 0.5),
    ("all_requests_at_median", "all requests at our median delay", None),
    ("median_at_requests", "median delay at our number of requests", 0.5),
    ("p95_at_requests", "p95 of the delay at our number of requests", 1.0),
)
MAX_GROWTH: Final = 0.05
"""What following announced edits may add to all requests."""
WIDTH: Final = 640
HEIGHT: Final = 420
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 16, 44
POLICY_DOT: Final = 6
"""Size of a policy's dot; those of the curve are smaller."""


def markdown(results: Sequence[SeedResult], sites: int, days: float) -> str:
    """Tables of means over the fleets."""
    seeds = f"{results[0].seed} to {results[-1].seed}" if len(results) > 1 else str(results[0].seed)
    articles = round(sum(result.ours.articles for result in results) / len(results))
    parts = [
        f"{sites} sites, {days:g} days, seeds {seeds}, {articles:,} articles a fleet. Means over fleets.",
        _policies(results),
        _goals(results),
        _edits(results),
        _announced(results),
    ]
    return "\n\n".join(parts)


def _policies(results: Sequence[SeedResult]) -> str:
    head = (
        "| policy | median, min | p95, min | mean, min | source requests an article | all requests an article |"
        " missed | missed, listed for 6 h | requests per host and day | busiest hour of a host |"
    )
    lines = [head, "|---" + "|---:" * 9 + "|"]
    for outcome in _means(results):
        name = f"**{outcome.policy}**" if outcome.policy == "newscrawl" else outcome.policy
        lines.append(
            f"| {name} | {outcome.median:.1f} | {outcome.p95:.1f} | {outcome.mean:.1f} | {outcome.per_article:.2f} |"
            f" {outcome.all_per_article:.2f} | {outcome.missed} | {outcome.missed_long} |"
            f" {outcome.per_host_day:.0f} | {outcome.busiest:.0f} |"
        )
    return "\n".join(lines)


def _goals(results: Sequence[SeedResult]) -> str:
    lines = ["| share of the value for fixed intervals | mean | best | worst | goal |", "|---|---:|---:|---:|---:|"]
    for name, words, goal in GOALS:
        values = [getattr(result.comparison, name) for result in results]
        wanted = f"{goal:g}" if goal is not None else ""
        average = sum(values) / len(values)
        lines.append(f"| {words} | {average:.2f} | {min(values):.2f} | {max(values):.2f} | {wanted} |")
    return "\n".join(lines)


def _edits(results: Sequence[SeedResult]) -> str:
    lines = ["| revisits | edits seen | seen after, min (median) | requests an article |", "|---|---:|---:|---:|"]
    for place in range(len(results[0].edits)):
        rows = [result.edits[place] for result in results]
        number = len(rows)
        seen, cost = sum(row.seen for row in rows) / number, sum(row.per_article for row in rows) / number
        delays = [row.delay for row in rows if row.delay is not None]
        after = f"{sum(delays) / len(delays):.0f}" if delays else ""
        lines.append(f"| {rows[0].policy} | {seen:.1%} | {after} | {cost:.1f} |")
    return "\n".join(lines)


def _announced(results: Sequence[SeedResult]) -> str:
    """Each figure without announcements and with them, weighted by the articles of the fleets."""
    head = (
        "| what sources announce | articles | edits seen | seen after, min (median) | out of date, h (mean) |"
        " revisits an article | all requests |"
    )
    lines = [head, "|---" + "|---:" * 6 + "|"]
    for style in (*STYLES, ALL):
        rows = [row for result in results for row in result.announced if row.style == style]
        if not rows:
            continue
        weights = [row.articles for row in rows]
        sides = [[row.without for row in rows], [row.following for row in rows]]
        cells = [
            " → ".join(_weighted([getattr(one, name) for one in side], weights, form) for side in sides)
            for name, form in (("seen", ".1%"), ("delay", ".0f"), ("stale", ".2f"), ("per_article", ".2f"))
        ]
        lines.append(f"| {style} | {sum(weights)} | {' | '.join(cells)} | {_growth(rows):+.1%} |")
    return "\n".join(lines)


def _weighted(values: Sequence[float], weights: Sequence[int], form: str) -> str:
    return format(sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights), form)


def _growth(rows: Sequence[AnnouncedOutcome]) -> float:
    return sum(row.growth * row.articles for row in rows) / max(1, sum(row.articles for row in rows))


def missed_goals(results: Sequence[SeedResult]) -> list[str]:
    """Lists what the mean over the fleets misses, and every article that was missed although it stayed listed."""
    said = []
    for name, words, goal in GOALS:
        average = sum(getattr(result.comparison, name) for result in results) / len(results)
        if goal is not None and average > goal:
            said.append(f"{words}: {average:.2f}, goal {goal:g}")
    growth = _growth([row for result in results for row in result.announced if row.style == ALL])
    if growth > MAX_GROWTH:
        said.append(f"requests that announced edits add: {growth:.1%}, goal {MAX_GROWTH:.0%}")
    lost = sum(result.ours.missed_long for result in results)
    return [*said, f"{lost} articles missed that stayed listed for six hours"] if lost else said


def plot(results: Sequence[SeedResult], figure: str, label: str) -> str:
    """A delay (`median` or `p95`) over requests a day and host, both logarithmic: the curve, and a dot a policy."""
    curve = [mean([result.curve[n] for result in results]) for n in range(len(results[0].curve))]
    points = [outcome for outcome in _means(results) if not outcome.policy.startswith("every ")]
    every = [*curve, *points]
    across = _Log.over([_cost(outcome) for outcome in every], LEFT, WIDTH - RIGHT)
    up = _Log.over([getattr(outcome, figure) for outcome in every], HEIGHT - BOTTOM, TOP)
    line = " ".join(f"{across(_cost(o)):.1f},{up(getattr(o, figure)):.1f}" for o in curve)
    dots = [
        *((across(_cost(o)), up(getattr(o, figure)), POLICY_DOT, COLOURS[n], o.policy) for n, o in enumerate(points)),
        *((across(_cost(o)), up(getattr(o, figure)), 3, "#7f7f7f", o.policy) for o in curve[::2]),
    ]
    names = apart([_name(x, y, size, policy) for x, y, size, _, policy in dots], TOP, HEIGHT - BOTTOM)
    parts = [
        _grid(across, up),
        f'<polyline fill="none" stroke="#7f7f7f" stroke-width="2" points="{line}"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{colour}"/>' for x, y, size, colour, _ in dots),
        *(name.svg() for name in names),
        _text(WIDTH / 2, HEIGHT - 6, "requests for sources an article", "middle"),
        _text(6, 12, label, "start"),
    ]
    style = "text{font:12px sans-serif;fill:#222}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)} against requests"><style>{style}</style>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


@dataclass(frozen=True, slots=True)
class _Log:
    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> _Log:
        return cls(math.log10(min(values) / 1.3), math.log10(max(values) * 1.5), start, end)

    def __call__(self, value: float) -> float:
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        decades = range(math.floor(self.low), math.ceil(self.high) + 1)
        values = [step * 10.0**decade for decade in decades for step in (1, 2, 5)]
        return [value for value in values if self.low <= math.log10(value) <= self.high]


def _means(results: Sequence[SeedResult]) -> list[Outcome]:
    first = results[0]
    curve = [mean([result.curve[n] for result in results]) for n in range(len(first.curve))]
    others = [mean([result.others[n] for result in results]) for n in range(len(first.others))]
    return [mean([result.ours for result in results]), *others, *curve]


def _cost(outcome: Outcome) -> float:
    return outcome.per_article


def _grid(across: _Log, up: _Log) -> str:
    parts = []
    for value in across.ticks():
        x = across(value)
        parts.append(f'<line stroke="#ddd" x1="{x:.1f}" x2="{x:.1f}" y1="{up.start:.1f}" y2="{up.end:.1f}"/>')
        parts.append(_text(x, up.start + 16, f"{value:g}", "middle"))
    for value in up.ticks():
        y = up(value)
        parts.append(f'<line stroke="#ddd" x1="{across.start:.1f}" x2="{across.end:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{value:g}", "end"))
    return "".join(parts)


def _name(x: float, y: float, size: int, policy: str) -> Label:
    """Returns the label of a dot. Labels of points of the curve are above them, labels of policies below their dots."""
    small = size < POLICY_DOT
    place = y - 5 if small else y + 18
    if x < WIDTH - 190:
        return Label(x + size + 4, place, policy, "start", faint=small)
    return Label(x - size - 4, place, policy, "end", faint=small)


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
