"""Bootstrap intervals over sites, and differences between two systems on the same draws."""

from __future__ import annotations

import pytest

from newscrawl.bench.scores import EMPTY_OUTPUT, Score, harmonic, summarise
from newscrawl.bench.study import Bootstrap


def page(precision: float, recall: float) -> Score:
    return Score(precision, recall, harmonic(precision, recall))


PAGES = [page(0.5 + n % 7 / 20, 0.9 - n % 5 / 10) for n in range(40)]
SITES = [f"site{n % 10}" for n in range(40)]


def test_the_value_is_the_f1_of_all_pages_and_lies_in_its_interval() -> None:
    pages = [*PAGES[1:], EMPTY_OUTPUT]
    interval = Bootstrap(SITES).f1(pages)
    assert interval.value == pytest.approx(summarise(pages).f1)
    assert interval.low < interval.value < interval.high


def test_the_same_input_gives_the_same_interval() -> None:
    assert Bootstrap(SITES).f1(PAGES) == Bootstrap(SITES).f1(PAGES)


def test_pages_of_one_site_say_less_than_pages_of_many() -> None:
    pages = [page(0.9, 0.9) if n < 20 else page(0.4, 0.4) for n in range(40)]
    together = Bootstrap([f"site{n // 10}" for n in range(40)]).f1(pages)
    apart = Bootstrap([None] * 40).f1(pages)
    assert together.high - together.low > apart.high - apart.low


def test_a_difference_is_paired() -> None:
    better = [page(min(1, (p.precision or 0) + 0.05), p.recall) for p in PAGES]
    bootstrap = Bootstrap(SITES)
    difference = bootstrap.difference(better, PAGES)
    assert difference.value == pytest.approx(bootstrap.f1(better).value - bootstrap.f1(PAGES).value)
    assert difference.is_certain
    assert not bootstrap.difference(PAGES, PAGES).is_certain
    alone = bootstrap.f1(PAGES)
    assert difference.high - difference.low < alone.high - alone.low


def test_no_pages_have_no_interval() -> None:
    assert Bootstrap([]).f1([]).value == 0
