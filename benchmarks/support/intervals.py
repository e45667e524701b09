"""Intervals of figures that were measured in pairs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean
from typing import Final

DRAWS: Final = 10_000


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Returns the interval that has the mean with 95 %, by drawing the values of the pairs again (bootstrap)."""
    draw = random.Random(3)
    means = sorted(fmean(draw.choices(values, k=len(values))) for _ in range(DRAWS))
    return means[int(DRAWS * 0.025)], means[int(DRAWS * 0.975)]
