"""`newscrawl bench speed` measures every part over the same pages, as multiples of a parse alone."""

from __future__ import annotations

import json
import re

import pytest

from newscrawl.bench.speed import (
    FLOOR,
    LIMIT,
    LINES,
    SHAPES,
    Growth,
    TimedFunction,
    as_json,
    growth_table,
    measure,
    parts,
    timing_table,
)
from newscrawl.errors import UsageError
from newscrawl.page import parse

PAGE = b"<html><title>Rain</title><body><h1>Rain</h1>" + b"<p>It rains in the town, and nobody minds it.</p>" * 9


def test_every_stage_chain_and_line_is_a_part_and_the_floor_is_first() -> None:
    names = [part.name for part in parts([PAGE])]
    assert names[0] == FLOOR
    assert {"decode", "walk, runs, head", "metadata", "verdict", "chain classic", "chain best", *LINES} <= set(names)
    assert len(names) == len(set(names))


def test_each_part_runs_on_its_own_calls() -> None:
    for part in parts([PAGE, b""]):
        for arguments in part.prepare():
            part.function(*arguments)


def test_parts_are_chosen_by_name_beside_the_floor() -> None:
    assert [part.name for part in parts([PAGE], only=["decode"])] == [FLOOR, "decode"]
    with pytest.raises(UsageError, match="unknown part 'decoed'"):
        parts([PAGE], only=["decoed"])


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


def test_tables_say_what_grows_too_fast() -> None:
    shapes = [("decode", "flat", 2.0), ("decode", "nested", LIMIT + 1), ("x", "flat", None), ("x", "nested", None)]
    table = growth_table([Growth(*shape) for shape in shapes])
    assert "| decode | 2.00 | 3.30* |" in table
    assert "| x | - | - |" in table


def test_figures_are_written_for_programs_too() -> None:
    timings = measure(parts([PAGE], only=["decode"]), 1)
    assert re.search(r"\| decode \| [\d.]+ \| [\d.]+ \|", timing_table(timings))
    found = json.loads(json.dumps(as_json(timings, [Growth("decode", "flat", 2.0)], {"pages": 1})))
    assert [timing["name"] for timing in found["timings"]] == [FLOOR, "decode"]
    assert found["growth"] == [{"stage": "decode", "shape": "flat", "factor": 2.0}]
