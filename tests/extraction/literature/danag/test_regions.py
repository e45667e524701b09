"""DANAg's regions and the boundary of the main content."""

from __future__ import annotations

from newscrawl.extraction.literature.danag import GAP, Region, main_area, regions
from newscrawl.extraction.literature.ratios import smoothed_excess


def test_regions_are_the_lines_above_the_axis() -> None:
    excess = [-3, 5, 6, 0, -1, 4]
    assert regions(excess, [1, 10, 20, 2, 3, 40]) == [Region(1, 3, 30), Region(5, 6, 40)]


def test_a_region_may_reach_to_both_edges_of_the_page() -> None:
    assert regions([1, 1], [7, 8]) == [Region(0, 2, 15)]
    assert regions([], []) == []


def test_smoothing_takes_a_menu_below_the_axis_and_lifts_a_short_line_between_paragraphs() -> None:
    menu = [8 - 20, 12 - 20, 25 - 20, 8 - 20]
    article = [400 - 7, 10 - 14, 300 - 7]
    assert [value > 0 for value in smoothed_excess(menu + article)] == [False] * 3 + [True] * 4


def test_the_main_content_starts_from_the_region_with_the_most_text_not_the_most_lines() -> None:
    found = [Region(0, 9, 100), Region(50, 52, 500)]
    assert main_area(found) == [found[1]]


def test_of_equal_regions_the_first_is_the_start() -> None:
    found = [Region(0, 2, 100), Region(50, 52, 100)]
    assert main_area(found) == [found[0]]


def test_a_gap_of_twenty_lines_is_crossed_and_one_of_twenty_one_is_not() -> None:
    start = Region(100, 105, 900)
    near, far = Region(105 + GAP, 130, 50), Region(105 + GAP + 1, 130, 50)
    assert main_area([start, near]) == [start, near]
    assert main_area([start, far]) == [start]


def test_paragraphs_are_reached_one_from_the_other_up_and_down() -> None:
    chain = [Region(place, place + 2, 10 + place % 7) for place in range(0, 200, 20)]
    assert main_area(chain) == chain
    assert main_area([Region(0, 2, 10), *chain[5:]]) == chain[5:]


def test_no_region_is_no_area() -> None:
    assert main_area([]) == []
