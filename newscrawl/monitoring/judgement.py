"""The values that all judgements of a site have, and the two figures that they use. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Severity = Literal["warning", "critical"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether there is reason for an alarm. If `known` is False there is no baseline, and the other fields are
    unused."""

    known: bool = False
    alarm: Severity | None = None
    over: bool = False
    """Whether an open alarm can be closed."""
    since: datetime | None = None
    """When the problem began."""


def tail_probability(yes: int, of: int, share: float) -> float:
    """Returns the probability of at least `yes` successes in `of` independent trials with the probability `share`."""
    return sum(math.comb(of, n) * share**n * (1 - share) ** (of - n) for n in range(yes, of + 1))


def cautious_share(yes: int, of: int) -> float:
    """Returns an upper estimate of an observed share: the fewer trials, the further above `yes / of`."""
    return min(1.0, (yes + 1) / (of + 2) + 0.03)
