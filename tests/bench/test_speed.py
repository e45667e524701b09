"""`newscrawl bench speed` measures every part over the same pages, as multiples of a parse alone."""

from __future__ import annotations

import pytest

from newscrawl.bench.speed import (
    SHAPES,
    TimedFunction,
    measure,
)
from newscrawl.page import parse

PAGE = b"<html><title>Rain</title><body><h1>Rain</h1>" + b"<p>It rains in the town, and nobody minds it.</p>" * 9


def test_a_part_that_takes_three_times_as_long_costs_three_times_as_much() -> None:
    now = 0.0

    def spend(seconds: float) -> None:
        nonlocal now
        now += seconds

    rounds = iter([9.0, 2.5, 4.0, 3.0])  # the first is the one that warms up
    parts = [
        TimedFunction("one", spend, lambda: [(1.0,)] * 5),
        TimedFunction("three", spend, lambda: [(next(rounds),)] * 5),
    ]
    floor, other = measure(parts, 3, lambda: now)
    assert (floor.ratio, floor.milliseconds) == (1.0, 1000.0)
    assert (other.least, other.ratio, other.greatest) == (2.5, 3.0, 4.0)


def test_pages_are_made_afresh_for_every_round() -> None:
    made: list[int] = []

    def prepare() -> list[tuple[bytes]]:
        made.append(1)
        return [(PAGE,)]

    measure([TimedFunction("one", parse, prepare)], 2)
    assert len(made) >= 3


@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_pages_double_when_asked_to(shape: str) -> None:
    one, two = (len(SHAPES[shape](size)) for size in (40_000, 80_000))
    assert 30_000 < one < 60_000
    assert 1.9 < two / one < 2.1
