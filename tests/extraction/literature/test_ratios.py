"""Ratios of content to mark-up, smoothed and clustered."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from newscrawl.extraction.lines import TextLine
from newscrawl.extraction.literature.ratios import changes, code_excess, gaussian, outside_origin, tag_ratios


def line(length: int, tags: int = 1, code: int = 0) -> TextLine:
    return TextLine((0,), length, length // 5, 0, tags, code)


def test_a_ratio_is_characters_by_tags_and_a_line_without_tags_counts_as_having_one() -> None:
    smoothed, _ = tag_ratios([line(50, 2)] * 20)
    assert smoothed == pytest.approx([25.0] * 20)
    smoothed, _ = tag_ratios([line(50, 0)] * 20)
    assert smoothed == pytest.approx([50.0] * 20)


def test_smoothing_keeps_the_sum_of_a_peak_and_spreads_it_to_both_sides_alike() -> None:
    values = np.zeros(21)
    values[10] = 100.0
    smoothed = gaussian(values)
    assert smoothed.sum() == pytest.approx(100.0)
    assert smoothed[9] == pytest.approx(smoothed[11])
    assert smoothed[10] == pytest.approx(39.9, abs=0.1)
    assert smoothed[10] > smoothed[9] > smoothed[8] > 0


def test_change_looks_ahead_from_a_low_line_to_the_high_ones() -> None:
    smoothed = np.array([0.0] * 10 + [90.0] * 10 + [0.0] * 10)
    change = changes(smoothed)
    assert change[9] > change[0]
    assert change[19] > change[14]
    assert change[14] == pytest.approx(0, abs=0.2)


def test_points_near_the_origin_are_one_cluster() -> None:
    ratios = np.array([1.0, 2.0, 3.0, 50.0, 60.0, 200.0, 2.0])
    assert outside_origin(ratios, np.zeros(7)).tolist() == [False, False, False, True, True, True, False]


def test_a_page_of_one_line_is_content_and_one_without_text_is_not() -> None:
    assert outside_origin(np.array([40.0]), np.array([0.0])).tolist() == [True]
    assert outside_origin(np.zeros(3), np.zeros(3)).tolist() == [False] * 3


def test_the_same_points_always_give_the_same_clusters() -> None:
    points = np.random.default_rng(1).exponential(30, (2, 500))
    assert (outside_origin(*points) == outside_origin(*points)).all()


def test_code_excess_sums_text_less_code_over_three_lines() -> None:
    assert code_excess([line(10, code=4), line(100, code=20), line(0, code=30)]) == [86, 56, 50]


def test_nothing_gives_nothing() -> None:
    smoothed, change = tag_ratios([])
    assert len(smoothed) == len(change) == len(outside_origin(smoothed, change)) == len(code_excess([])) == 0


def test_features_and_clusters_of_many_lines(doubling: Callable[..., None]) -> None:
    def lines(n: int) -> list[TextLine]:
        return [line(length, tags=2) for length in (3, 5, 12, 40, 300, 800, 500, 20)] * (n // 8)

    doubling(lambda lines: code_excess(lines) and outside_origin(*tag_ratios(lines)), lines, 5000)
