"""Counts of alarm events that were sent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Deliveries:
    """How many events were accepted, and how many attempts failed, by receiver, since the process started."""

    accepted: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
