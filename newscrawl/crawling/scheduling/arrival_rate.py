"""Estimates how many new entries a source has in each hour, learned from the results of its visits.

    rate(t) = base x hour(t) x weekday(t) x burst(t)

Each factor is a number of entries observed over the number expected without it, both with the same pseudo-count added.
That is the mean of a Gamma distribution around 1 after these Poisson events. With few observations the factor stays
near 1, so random differences do not look like a pattern; with more entries it becomes more exact (empirical Bayes
shrinkage; Efron and Morris, "Data analysis using Stein's estimator", 1975). Older observations fade, those of the burst
within the hour.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

HOURS: Final = 24
DAYS: Final = 7
EPOCH_WEEKDAY: Final = 3
"""1 January 1970 was a Thursday."""

PRIOR_HOURS: Final = 4.0
PRIOR_ENTRIES: Final = 2.0
"""An unknown source counts as one that had an entry every two hours, until as many hours have been watched."""
HOUR_PSEUDO: Final = 4.0
DAY_PSEUDO: Final = 20.0
BURST_PSEUDO: Final = 2.0
"""Entries that must have been seen before an hour's, a weekday's or the last hour's own number outweighs the mean."""
MEMORY_HALF_LIFE: Final = 14 * 24.0
BURST_HALF_LIFE: Final = 0.75
FADE_STEP: Final = 6.0
"""Hours between two fadings of the sums. Fading at every visit would cost time and change little."""


def hour_of(time: float) -> int:
    """Returns the hour of the day (UTC) of a time in hours since 1970."""
    return int(time) % HOURS


def weekday_of(time: float) -> int:
    """Returns the day of the week of a time in hours since 1970; Monday is 0."""
    return (int(time) // HOURS + EPOCH_WEEKDAY) % DAYS


def by_hour(start: float, end: float) -> Iterator[tuple[float, float]]:
    """Yields the span in pieces cut at full hours, as (start, length)."""
    while start < end:
        stop = min(float(int(start) + 1), end)
        yield start, stop - start
        start = stop


@dataclass(slots=True)
class Yield:
    """The observations of a source; times in hours since 1970. `entries` divided by `hours` is the base rate; the lists
    hold observed and expected entries by hour and by weekday."""

    entries: float = 0.0
    hours: float = 0.0
    hour_seen: list[float] = field(default_factory=lambda: [0.0] * HOURS)
    hour_expected: list[float] = field(default_factory=lambda: [0.0] * HOURS)
    day_seen: list[float] = field(default_factory=lambda: [0.0] * DAYS)
    day_expected: list[float] = field(default_factory=lambda: [0.0] * DAYS)
    burst_seen: float = 0.0
    burst_expected: float = 0.0
    at: float = 0.0
    faded: float = 0.0

    @classmethod
    def read(cls, memory: Mapping[str, Any] | None) -> Yield:
        """Reads what `written` returned; anything else, such as the memory of a later version, counts as no
        observations."""
        try:
            numbers = [float(memory[name]) for name in _NUMBERS] if memory else []
            lists = [[float(n) for n in memory[name]] for name in _LISTS] if memory else []
        except (KeyError, TypeError, ValueError):
            return cls()
        if not numbers or [len(values) for values in lists] != [HOURS, HOURS, DAYS, DAYS]:
            return cls()
        entries, hours, *others = numbers
        return cls(entries, hours, lists[0], lists[1], lists[2], lists[3], *others)

    def written(self) -> dict[str, Any]:
        """Returns the observations as JSON values, about 600 bytes."""
        numbers = {name: round(getattr(self, name), 5) for name in _NUMBERS}
        return numbers | {name: [round(n, 3) for n in getattr(self, name)] for name in _LISTS}

    @property
    def base(self) -> float:
        """Entries an hour, over all hours."""
        return (self.entries + PRIOR_ENTRIES) / (self.hours + PRIOR_HOURS)

    def pattern(self, time: float) -> float:
        """Returns the factor of this hour and weekday. Neighbouring hours count half, as rhythms change gradually."""
        hour, day = hour_of(time), weekday_of(time)
        return self._hour(hour) * (self.day_seen[day] + DAY_PSEUDO) / (self.day_expected[day] + DAY_PSEUDO)

    def burst(self) -> float:
        """Returns the factor of the last hour, at the time of the last visit."""
        return (self.burst_seen + BURST_PSEUDO) / (self.burst_expected + BURST_PSEUDO)

    def rate(self, time: float) -> float:
        """Returns the expected entries an hour at a time not before the last visit. A burst fades with
        `BURST_HALF_LIFE`."""
        left: float = 0.5 ** ((time - self.at) / BURST_HALF_LIFE)
        return self.base * self.pattern(time) * (1.0 + (self.burst() - 1.0) * left)

    def until_waited(self, patience: float, now: float, longest: float) -> float:
        """Returns the hours from `now` until the expected entries have together waited `patience` hours, at most
        `longest`."""
        base, burst = self.base, self.burst() - 1.0
        waited = expected = 0.0
        for start, length in by_hour(now, now + longest):
            over = start + length / 2 - self.at
            rate = base * self.pattern(start) * (1.0 + burst * 0.5 ** (over / BURST_HALF_LIFE))
            grown = waited + expected * length + rate * length * length / 2
            if grown >= patience:
                # The t at which waited + expected t + rate t^2 / 2 reaches the patience.
                left = patience - waited
                return start - now + 2 * left / (expected + math.sqrt(expected * expected + 2 * rate * left))
            waited, expected = grown, expected + rate * length
        return longest

    def observe(self, start: float, end: float, times: Sequence[float]) -> None:
        """Adds the observation that a source was watched from `start` to `end` and had entries at these times."""
        self._fade(end)
        base = self.base
        expected = 0.0
        for at, length in by_hour(start, end):
            hour, day = hour_of(at), weekday_of(at)
            by_base = base * length
            by_pattern = by_base * self._hour(hour)
            expected += by_base * self.pattern(at)
            self.hour_expected[hour] += by_base
            self.day_expected[day] += by_pattern
        for time in times:
            self.hour_seen[hour_of(time)] += 1.0
            self.day_seen[weekday_of(time)] += 1.0
        left = 0.5 ** (max(0.0, end - self.at) / BURST_HALF_LIFE)
        self.burst_seen = self.burst_seen * left + len(times)
        self.burst_expected = self.burst_expected * left + expected
        self.entries += len(times)
        self.hours += end - start
        self.at = end

    def _hour(self, hour: int) -> float:
        before, after = hour - 1, (hour + 1) % HOURS
        seen, expected = self.hour_seen, self.hour_expected
        around = seen[hour] + (seen[before] + seen[after]) / 2
        return (around + HOUR_PSEUDO) / (expected[hour] + (expected[before] + expected[after]) / 2 + HOUR_PSEUDO)

    def _fade(self, now: float) -> None:
        if now - self.faded < FADE_STEP:
            return
        left = 0.5 ** ((now - self.faded) / MEMORY_HALF_LIFE) if self.faded else 1.0
        for values in (self.hour_seen, self.hour_expected, self.day_seen, self.day_expected):
            values[:] = [value * left for value in values]
        self.entries *= left
        self.hours *= left
        self.faded = now


_NUMBERS: Final = ("entries", "hours", "burst_seen", "burst_expected", "at", "faded")
_LISTS: Final = ("hour_seen", "hour_expected", "day_seen", "day_expected")
