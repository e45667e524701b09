"""The document slope curve."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.lines import TextLine
from newscrawl.extraction.literature.dsc import select, slope_curve
from newscrawl.page import Page

SENTENCE = "The council met on Tuesday and said that it will build the library after all this year. "
LONG = f"<p>{SENTENCE * 2}</p>"
MENU = "".join(f'<li><a href="/{n}">Section</a></li>' for n in range(30))


def line(tags: int, words: int) -> TextLine:
    return TextLine((0,), words * 6, words, 0, tags, tags * 5)


def test_the_slope_is_tags_over_tokens() -> None:
    slopes, mean = slope_curve([line(10, 10)] * 50)
    assert mean == pytest.approx(0.5)
    assert slopes[25] == pytest.approx(0.4)  # 20 tags in 50 tokens around the middle of ten words
    assert slope_curve([line(0, 10)] * 50) == ([0.0] * 50, 0.0)


def test_the_slope_is_low_in_long_text_and_high_in_menus() -> None:
    slopes, mean = slope_curve([line(4, 1)] * 30 + [line(2, 80)] * 3 + [line(4, 1)] * 30)
    assert all(slope < mean / 2 for slope in slopes[30:33])
    assert all(slope > mean for slope in slopes[:20] + slopes[-20:])


def test_content_may_lie_in_several_stretches(page_of: Callable[..., Page]) -> None:
    page = page_of(f"<ul>{MENU}</ul>{LONG * 3}<ul>{MENU}</ul>{LONG * 3}<ul>{MENU}</ul>")
    assert [page.runs[i].text.split()[0] for i in select(page)] == ["The"] * 6


def test_a_page_without_text_or_without_words_gives_nothing(page_of: Callable[..., Page]) -> None:
    assert select(page_of("")) == ()
    assert select(page_of("<p>-</p><p>|</p>")) == ()
