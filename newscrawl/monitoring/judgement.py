"""The values that all judgements of a site have, and two statistics that they use. Pure."""

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
    can_close: bool = False
    """Whether an open alarm can be closed."""
    since: datetime | None = None
    """The time at which the problem began."""


def tail_probability(successes: int, trials: int, share: float) -> float:
    """Returns the probability of at least `successes` in `trials` independent trials of probability `share`."""
    return sum(math.comb(trials, n) * share**n * (1 - share) ** (trials - n) for n in range(successes, trials + 1))


def cautious_share(successes: int, trials: int) -> float:
    """Returns an upper estimate of an observed share: the fewer trials, the further above `successes / trials`."""
    return min(1.0, (successes + 1) / (trials + 2) + 0.03)
