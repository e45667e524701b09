"""What every judgement about a site says, and the two figures that all of them use. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Severity = Literal["warning", "critical"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether there is reason for an alarm. Without a baseline `known` is False and nothing else means anything."""

    known: bool = False
    alarm: Severity | None = None
    over: bool = False
    """Whether an open alarm can be closed."""
    since: datetime | None = None
    """When what the alarm is about began."""


def tail_probability(yes: int, of: int, share: float) -> float:
    """The probability of at least `yes` successes in `of` independent trials, each with the probability `share`."""
    return sum(math.comb(of, n) * share**n * (1 - share) ** (of - n) for n in range(yes, of + 1))


def cautious_share(yes: int, of: int) -> float:
    """An upper estimate of a share that was seen: the fewer trials, the further above `yes / of`."""
    return min(1.0, (yes + 1) / (of + 2) + 0.03)
