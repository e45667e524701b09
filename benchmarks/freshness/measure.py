"""Compares all policies over simulated fleets, and ours with the curve of fixed intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from typing import Any, Final

import numpy as np

from benchmarks.freshness.announced import AnnouncedOutcome, follow_announced
from benchmarks.freshness.edits import EditOutcome, follow, hourly, never, newsdiffs, ours
from benchmarks.freshness.policies import MediaCloud, Miniflux, NewsPlease, Ours
from benchmarks.freshness.run import Outcome, fixed, run
from benchmarks.freshness.world import make_world

REPORTED_SEEDS: Final = tuple(range(6, 16))
"""Parameters were tried on seeds 1 and 2, which are in no report."""
INTERVALS: Final = (5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 240, 480, 1440)
"""Minutes: the curve of fixed intervals."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ours compared with the curve of fixed intervals, as ratios (1: equal, 0.5: half)."""

    requests_at_median: float
    """Our requests for sources over those of the fixed interval with our median delay."""
    all_requests_at_median: float
    """The same with the articles' own requests, which nobody saves."""
    median_at_requests: float
    p95_at_requests: float
    """Our delays over those of the fixed interval with our number of requests."""


@dataclass(frozen=True, slots=True)
class SeedResult:
    """A fleet under every policy."""

    seed: int
    curve: tuple[Outcome, ...]
    ours: Outcome
    others: tuple[Outcome, ...]
    edits: tuple[EditOutcome, ...]
    announced: tuple[AnnouncedOutcome, ...]
    comparison: Comparison


def measure(seed: int, sites: int, days: float) -> SeedResult:
    """One fleet; the same seed gives the same result."""
    world = make_world(seed, sites, days)
    curve = tuple(fixed(world, minutes / 60) for minutes in INTERVALS)
    own = run(world, Ours(seed=seed))
    others = (run(world, Miniflux()), run(world, MediaCloud()), run(world, NewsPlease(), refetches=True))
    schedules = (("newscrawl", ours), ("newsdiffs", newsdiffs), ("every hour, one day", hourly), ("once", never))
    edits = tuple(follow(world, name, schedule) for name, schedule in schedules)
    return SeedResult(seed, curve, own, others, edits, follow_announced(world), compare(own, curve))


def measure_all(
    seeds: Sequence[int], sites: int, days: float, processes: int, done: Callable[[SeedResult], None]
) -> list[SeedResult]:
    """Runs all seeds in order. `done` is called after each."""
    results = []
    for result in _each(seeds, sites, days, processes):
        done(result)
        results.append(result)
    return results


def _each(seeds: Sequence[int], sites: int, days: float, processes: int) -> Iterator[SeedResult]:
    number = len(seeds)
    if processes == 1 or number == 1:
        yield from map(measure, seeds, [sites] * number, [days] * number)
        return
    with ProcessPoolExecutor(min(processes, number), mp_context=get_context("spawn")) as pool:
        yield from pool.map(measure, seeds, [sites] * number, [days] * number)


def compare(own: Outcome, curve: Sequence[Outcome]) -> Comparison:
    """Interpolates the curve on logarithmic scales. Beyond its ends the nearest point is used."""
    medians = [point.median for point in curve]
    requests = [float(point.source_requests) for point in curve]
    every = [float(point.source_requests + point.fetches) for point in curve]
    spent = float(own.source_requests)
    return Comparison(
        spent / _read(own.median, medians, requests),
        (spent + own.fetches) / _read(own.median, medians, every),
        own.median / _read(spent, requests, medians),
        own.p95 / _read(spent, requests, [point.p95 for point in curve]),
    )


def _read(at: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    pairs = sorted(zip(xs, ys, strict=True))
    logs = [(math.log(x), math.log(y)) for x, y in pairs]
    return math.exp(float(np.interp(math.log(at), [x for x, _ in logs], [y for _, y in logs])))


def mean(outcomes: Sequence[Outcome]) -> Outcome:
    """The mean of a policy's figures over fleets; what is counted is rounded."""
    values: dict[str, Any] = {"policy": outcomes[0].policy}
    for field in fields(Outcome)[1:]:
        average = sum(getattr(outcome, field.name) for outcome in outcomes) / len(outcomes)
        values[field.name] = round(average) if field.type == "int" else average
    return Outcome(**values)


def as_json(results: Sequence[SeedResult]) -> list[dict[str, Any]]:
    """All figures of all fleets."""
    return [asdict(result) for result in results]
