"""Measures false alarms and delay of the watchdog on simulated sites: `python -m benchmarks.watchdog [SITES] [DAYS]
[SEED]`.

The sites are those of the laboratory of time (benchmarks.freshness.world): daily and weekly rhythms, bursts,
batches, a third without a rhythm. Holidays are laid over them: some days on which a site, or the whole fleet, publishes
a fifth.
Then every site falls silent at a random hour, or keeps on with a twentieth of its articles.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median

import numpy as np

from benchmarks.freshness.world import START, make_world
from newscrawl.monitoring.volume import FLEET_PSEUDO, VolumeBaseline, hour_number, judge_volume

STEP = 2
"""Hours between two judgements."""
HOLIDAYS = 3
"""Days of the fleet, and as many of each site alone, in a quarter of a year."""


def main(arguments: Sequence[str]) -> None:
    sites, days, seed = [int(word) for word in (*arguments, *("60", "100", "21")[len(arguments) :])]
    rng = np.random.default_rng(seed)
    world = make_world(seed, sites, days)
    end = int(days * 24)
    common = rng.integers(20, days, HOLIDAYS)
    print(f"{sites} sites, {days} days, seed {seed}")
    for own in (HOLIDAYS, 0):
        series = [_hourly(rng, site.published - START, end, common, own) for site in world.sites]
        levels = _levels(series, end)
        normal = [_false_alarms(one, levels, end) for one in series]
        years = sum(hours for _, hours in normal) / 8760
        alarms = sum(number for number, _ in normal)
        print(f"  {HOLIDAYS} holidays of all, {own} of each: {alarms} false alarms in {years:.1f} judged site-years")
    for name, left in (("silence", 0.0), ("a twentieth", 0.05)):
        _report(name, [_delay(rng, one, levels, end, left) for one in series])


def _hourly(rng: np.random.Generator, times: np.ndarray, end: int, common: np.ndarray, own: int) -> np.ndarray:
    hours = np.bincount(np.floor(times[(times >= 0) & (times < end)]).astype(int), minlength=end)
    for day in (*common, *rng.integers(20, end // 24, own)):
        span = slice(int(day) * 24, int(day) * 24 + 24)
        hours[span] = rng.binomial(hours[span], 0.2)
    return hours


def _levels(series: list[np.ndarray], end: int) -> np.ndarray:
    """What the watchdog would say of the fleet's level: the mean of the last day over that of the last five weeks."""
    total = np.sum(series, axis=0).astype(float)
    levels = np.ones(end)
    for hour in range(8 * 24, end):
        usual = np.mean(total[max(0, hour - 35 * 24) : hour]) * 24
        levels[hour] = min(1.0, (total[hour - 24 : hour].sum() + FLEET_PSEUDO) / (usual + FLEET_PSEUDO))
    return levels


def _false_alarms(hourly: np.ndarray, levels: np.ndarray, end: int) -> tuple[int, int]:
    volume, alarms, judged, is_open = _fresh(), 0, 0, False
    for hour in range(0, end - STEP, STEP):
        quiet = _step(volume, hourly, hour, levels)
        judged += STEP * quiet.known
        if quiet.alarm and not is_open:
            alarms, is_open = alarms + 1, True
        elif is_open and quiet.can_close:
            is_open = False
    return alarms, judged


def _delay(
    rng: np.random.Generator, hourly: np.ndarray, levels: np.ndarray, end: int, left: float
) -> tuple[float, float | None] | None:
    """Returns the articles a day before, and the hours from the silence to the alarm; None for a site that is not
    judged."""
    begin = int(rng.integers(end // 2, end - 30 * 24))
    hourly = np.concatenate([hourly[:begin], rng.binomial(hourly[begin:], left)])
    volume = _fresh()
    rate = float(hourly[max(0, begin - 28 * 24) : begin].sum()) / 28
    for hour in range(0, end - STEP, STEP):
        if hour < begin:
            _add(volume, hourly, hour)
            continue
        quiet = _step(volume, hourly, hour, levels)
        if hour == begin + begin % STEP and not quiet.known:
            return None
        if quiet.alarm:
            return rate, hour + STEP - begin
    return rate, None


def _fresh() -> VolumeBaseline:
    first = hour_number(datetime(2026, 3, 2, tzinfo=UTC))
    return VolumeBaseline(first, first)


def _add(volume: VolumeBaseline, hourly: np.ndarray, hour: int) -> None:
    first = hour_number(datetime(2026, 3, 2, tzinfo=UTC))
    for at in range(hour, hour + STEP):
        if hourly[at]:
            volume.counts[first + at] = int(hourly[at])
    volume.watched_until(datetime.fromtimestamp((first + hour + STEP) * 3600, UTC))


def _step(volume: VolumeBaseline, hourly: np.ndarray, hour: int, levels: np.ndarray):  # type: ignore[no-untyped-def]
    _add(volume, hourly, hour)
    return judge_volume(volume, float(levels[hour + STEP - 1]))


def _report(name: str, found: list[tuple[float, float | None] | None]) -> None:
    judged = [one for one in found if one is not None]
    for low, high in ((0, 3), (3, 10), (10, 30), (30, 100), (100, 10**6)):
        of = [delay for rate, delay in judged if low <= rate < high]
        seen = [delay for delay in of if delay is not None]
        if of:
            told = f"median {median(seen):.0f} h, longest {max(seen):.0f} h" if seen else "never"
            print(f"  {name}, {low} to {high} articles a day: {len(seen)} of {len(of)} noticed, {told}")


if __name__ == "__main__":
    main(sys.argv[1:])
