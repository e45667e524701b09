"""Small diagrams as SVG, drawn on the server: no script, no style of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape

from newscrawl.storage.monitoring.hours import DayNumbers

WIDTH: Final = 140
HEIGHT: Final = 28
_BASE: Final = HEIGHT - 1


def sparkline(days: Sequence[DayNumbers]) -> Markup:
    """Returns the days of a site: bars of the stored articles before bars of the found addresses. Its title says the
    same in words."""
    most = max((max(day.found, day.stored) for day in days), default=0)
    found, stored = sum(day.found for day in days), sum(day.stored for day in days)
    title = f"{len(days)} days: {stored:,} articles stored of {found:,} addresses found, at most {most:,} a day"
    step = WIDTH / max(len(days), 1)
    bars = (_bars([getattr(day, name) for day in days], step, most, name) for name in ("found", "stored"))
    return Markup(  # noqa: S704  numbers, and a title that is escaped
        f'<svg class="spark" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f'<title>{escape(title)}</title><path class="base" d="M0 {_BASE + 0.5}H{WIDTH}"/>{"".join(bars)}</svg>'
    )


def share_bar(share: float, title: str) -> Markup:
    """Returns a bar that is filled to a share (0 to 1)."""
    width = round(min(max(share, 0.0), 1.0) * WIDTH, 1)
    return Markup(  # noqa: S704  as above
        f'<svg class="share" viewBox="0 0 {WIDTH} 8" role="img" aria-label="{escape(title)}"><title>{escape(title)}'
        f'</title><rect class="all" width="{WIDTH}" height="8" rx="3"/>'
        f'<rect class="part" width="{width}" height="8" rx="3"/></svg>'
    )


def _bars(numbers: Sequence[int], step: float, most: int, name: str) -> str:
    """Returns all bars of one colour as one path."""
    width = max(1.0, step - 1)
    drawn = "".join(
        f"M{place * step:g} {_BASE}v-{max(1.0, round(number / most * (_BASE - 1), 1)):g}h{width:g}V{_BASE}z"
        for place, number in enumerate(numbers)
        if number
    )
    return f'<path class="{name}" d="{drawn}"/>' if drawn else ""
