"""Algorithms that judge lines by ratios of text, tags and links."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from newscrawl.extraction.lines import TextLine
from newscrawl.extraction.literature.ratios import (
    GAP,
    MAX_BARE_LINES,
    QUOTA,
    Region,
    SourceLine,
    cetr,
    changes,
    danag,
    dsc,
    gaussian,
    lqf,
    main_area,
    normalised_source,
    outside_origin,
    regions,
    slope_curve,
    smoothed_excess,
    tag_ratios,
)
from newscrawl.page import Page

MENU = "".join(f'<li><a href="/{n}">Section</a></li>' for n in range(10))
SENTENCE = "The council met on Tuesday and said that it will build the library after all, in the old mill."
LONG = f"<p>{SENTENCE}</p>"


def line(length: int = 0, tags: int = 1, code: int = 0, words: int | None = None) -> TextLine:
    return TextLine((0,), length, length // 5 if words is None else words, 0, tags, code)


def first_words(page: Page, runs: tuple[int, ...]) -> list[str]:
    return [page.runs[i].text.split()[0] for i in runs]


@pytest.mark.parametrize("algorithm", [cetr, danag, dsc, lqf])
def test_a_page_without_text_gives_nothing(
    algorithm: Callable[[Page], tuple[int, ...]], page_of: Callable[..., Page]
) -> None:
    assert algorithm(page_of("")) == ()


# CETR.


@pytest.mark.parametrize(("tags", "ratio"), [(2, 25.0), (0, 50.0)])
def test_a_ratio_is_characters_by_tags_and_a_line_without_tags_counts_as_having_one(tags: int, ratio: float) -> None:
    smoothed, _ = tag_ratios([line(50, tags)] * 20)
    assert smoothed == pytest.approx([ratio] * 20)


def test_smoothing_keeps_the_sum_of_a_peak_and_spreads_it_to_both_sides_alike() -> None:
    values = np.zeros(21)
    values[10] = 100.0
    smoothed = gaussian(values)
    assert smoothed.sum() == pytest.approx(100.0)
    assert smoothed[9] == pytest.approx(smoothed[11])
    assert smoothed[10] == pytest.approx(39.9, abs=0.1)
    assert smoothed[10] > smoothed[9] > smoothed[8] > 0


def test_change_looks_ahead_from_a_low_line_to_the_high_ones() -> None:
    change = changes(np.array([0.0] * 10 + [90.0] * 10 + [0.0] * 10))
    assert change[9] > change[0]
    assert change[19] > change[14]
    assert change[14] == pytest.approx(0, abs=0.2)


def test_points_near_the_origin_are_one_cluster() -> None:
    ratios = np.array([1.0, 2.0, 3.0, 50.0, 60.0, 200.0, 2.0])
    assert outside_origin(ratios, np.zeros(7)).tolist() == [False, False, False, True, True, True, False]
    assert outside_origin(np.array([40.0]), np.array([0.0])).tolist() == [True]
    assert outside_origin(np.zeros(3), np.zeros(3)).tolist() == [False] * 3


def test_the_same_points_always_give_the_same_clusters() -> None:
    points = np.random.default_rng(1).exponential(30, (2, 500))
    assert (outside_origin(*points) == outside_origin(*points)).all()


def test_no_lines_have_no_ratios() -> None:
    smoothed, change = tag_ratios([])
    assert len(smoothed) == len(change) == len(outside_origin(smoothed, change)) == 0


def test_the_time_of_all_steps_grows_with_the_lines(doubling: Callable[..., None]) -> None:
    def lines(n: int) -> list[TextLine]:
        return [line(length, tags=2) for length in (3, 5, 12, 40, 300, 800, 500, 20)] * (n // 8)

    doubling(lambda lines: normalised_source(lines) and outside_origin(*tag_ratios(lines)), lines, 5000)


def test_cetr_keeps_lines_with_much_text_for_few_tags(page_of: Callable[..., Page]) -> None:
    page = page_of(f"<ul>{MENU}</ul>{LONG * 5}<ul>{MENU}</ul>")
    found = first_words(page, cetr(page))
    assert found.count("The") == 5
    assert found.count("Section") <= 4  # of twenty: smoothing and the look ahead take in the lines beside the text


@pytest.mark.parametrize(
    ("article", "word"),
    [(f"{LONG * 3}<h3>Costs</h3>{LONG * 3}", "Costs"), (f"<h1>Library to be built</h1>{LONG * 5}", "Library")],
)
def test_cetr_keeps_a_short_line_beside_long_ones(article: str, word: str, page_of: Callable[..., Page]) -> None:
    page = page_of(f"<ul>{MENU}</ul>{article}<ul>{MENU}</ul>")
    assert word in first_words(page, cetr(page))


# DANAg.


def test_a_line_of_one_element_is_one_line_of_source() -> None:
    assert normalised_source([line(100, 2, 7)]) == [SourceLine(100, 7, 0)]
    assert normalised_source([line(5, 0, 0), line(6, 1, 3)]) == [SourceLine(5, 0, 0), SourceLine(6, 3, 1)]
    assert normalised_source([]) == []


def test_further_elements_stand_on_bare_lines_before_the_text_and_share_its_code() -> None:
    assert normalised_source([line(100, 6, 32)]) == [SourceLine(0, 10, None)] * 2 + [SourceLine(100, 12, 0)]


def test_a_million_empty_elements_are_no_million_lines() -> None:
    source = normalised_source([line(100, 2_000_000, 9_000_000)])
    assert len(source) == MAX_BARE_LINES + 1
    assert source[-1].line == 0


def test_smoothing_takes_a_menu_below_the_axis_and_lifts_a_short_line_between_paragraphs() -> None:
    menu = [8 - 20, 12 - 20, 25 - 20, 8 - 20]
    article = [400 - 7, 10 - 14, 300 - 7]
    assert [value > 0 for value in smoothed_excess(menu + article)] == [False] * 3 + [True] * 4


def test_regions_are_the_lines_above_the_axis() -> None:
    excess = [-3, 5, 6, 0, -1, 4]
    assert regions(excess, [1, 10, 20, 2, 3, 40]) == [Region(1, 3, 30), Region(5, 6, 40)]
    assert regions([1, 1], [7, 8]) == [Region(0, 2, 15)]
    assert regions([], []) == []


def test_the_main_content_starts_from_the_first_region_with_the_most_text() -> None:
    most, equal = [Region(0, 9, 100), Region(50, 52, 500)], [Region(0, 2, 100), Region(50, 52, 100)]
    assert main_area(most) == [most[1]]
    assert main_area(equal) == [equal[0]]
    assert main_area([]) == []


def test_a_gap_of_twenty_lines_is_crossed_and_one_of_twenty_one_is_not() -> None:
    start = Region(100, 105, 900)
    near, far = Region(105 + GAP, 130, 50), Region(105 + GAP + 1, 130, 50)
    assert main_area([start, near]) == [start, near]
    assert main_area([start, far]) == [start]


def test_paragraphs_are_reached_one_from_the_other_up_and_down() -> None:
    chain = [Region(place, place + 2, 10 + place % 7) for place in range(0, 200, 20)]
    assert main_area(chain) == chain
    assert main_area([Region(0, 2, 10), *chain[5:]]) == chain[5:]


_BOXES = "<div class='box'></div>" * 5
_ADVERT = f'{_BOXES}<p><a class="{"box" * 30}" href="/ad">Advert</a></p>{_BOXES}'
_MARKED_MENU = "".join(f'<li class="menu"><a href="/section/{n}">Section</a></li>' for n in range(12))


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (f"<ul>{_MARKED_MENU}</ul>{LONG * 4}<ul>{_MARKED_MENU}</ul>", ["Section", "The", "The", "The", "The"]),
        (f"{LONG}<h3>Costs</h3>{LONG}", ["The", "Costs", "The"]),
        (LONG * 3 + _ADVERT + LONG, ["The"] * 4),
        (f"{LONG * 3}<ul>{_MARKED_MENU}</ul><p>Copyright {'belongs to the paper ' * 8}</p>", ["The"] * 3),
        ('<p><a href="/a">x</a></p>' * 5, []),
        (f'<p class="text-paragraph">{"图书馆明年开放" * 2}</p>' * 3, ["图书馆明年开放" * 2] * 3),
    ],
    ids=["menus", "a short line", "beyond an advert", "beyond the gap", "all code", "a script without blanks"],
)
def test_danag_keeps_the_main_area(body: str, kept: list[str], page_of: Callable[..., Page]) -> None:
    page = page_of(body)
    assert first_words(page, danag(page)) == kept


# The document slope curve.


def test_the_slope_is_tags_over_tokens() -> None:
    slopes, mean = slope_curve([line(tags=10, words=10)] * 50)
    assert mean == pytest.approx(0.5)
    assert slopes[25] == pytest.approx(0.4)  # 20 tags in 50 tokens around the middle of ten words
    assert slope_curve([line(tags=0, words=10)] * 50) == ([0.0] * 50, 0.0)


def test_the_slope_is_low_in_long_text_and_high_in_menus() -> None:
    menu = [line(tags=4, words=1)] * 30
    slopes, mean = slope_curve([*menu, *[line(tags=2, words=80)] * 3, *menu])
    assert all(slope < mean / 2 for slope in slopes[30:33])
    assert all(slope > mean for slope in slopes[:20] + slopes[-20:])


def test_dsc_keeps_several_stretches(page_of: Callable[..., Page]) -> None:
    menu, long = f"<ul>{MENU * 3}</ul>", f"<p>{SENTENCE} {SENTENCE}</p>"
    page = page_of(f"{menu}{long * 3}{menu}{long * 3}{menu}")
    assert first_words(page, dsc(page)) == ["The"] * 6
    assert dsc(page_of("<p>-</p><p>|</p>")) == ()


# Link quotas.

_LINKS = "<p><a href='/1'>one two three</a></p><p>4 May</p>"
_ITEMS = "<li><a href='/1'>one two three</a></li>" * 3


@pytest.mark.parametrize(
    ("body", "quota", "kept"),
    [
        (
            "<p><a href='/'>home</a> <a href='/n'>news</a></p><p>read <a href='/'>this</a> today</p>",
            QUOTA,
            ["read this today"],
        ),
        ("<p>one <a href='/'>two</a></p>", QUOTA, ["one two"]),
        ("<p>one <a href='/'>two three</a></p>", QUOTA, []),
        *((f"<{tag}>{_LINKS}</{tag}><p>text</p>", QUOTA, ["text"]) for tag in ("ul", "ol", "dl", "nav")),
        (f"<table><tr><td>{_LINKS}</td></tr></table><p>text</p>", QUOTA, ["text"]),
        (f"<div>{_LINKS}</div>", QUOTA, ["4 May"]),
        (f"<ul>{_ITEMS}<li><ul><li>plain</li></ul></li></ul>", QUOTA, []),
        ("<p>one two three <a href='/'>four</a></p>", 0.25, ["one two three four"]),
        ("<p>one two three <a href='/'>four</a></p>", 0.2, []),
    ],
)
def test_lqf_removes_lines_lists_and_cells_that_are_mostly_links(
    body: str, quota: float, kept: list[str], page_of: Callable[..., Page]
) -> None:
    page = page_of(body)
    assert [page.runs[i].text for i in lqf(page, quota)] == kept
