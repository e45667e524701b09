"""Content code blurring."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from newscrawl.extraction.literature.ccb import accb, blur, ccb, tccb
from newscrawl.page import Page

SENTENCE = "The council met on Tuesday and said that it will build the library after all this year. "
PARAGRAPH = f"<p>{SENTENCE * 2}</p>"
LINKED = "<p>The council met <a href='/meetings/2026/tuesday'>on Tuesday</a> and said. </p>"
MENU = "".join(f'<li class="menu"><a href="/section/{n}">Section</a></li>' for n in range(20))

Select = Callable[[Page], tuple[int, ...]]


def words(page: Page, select: Select) -> list[str]:
    return [page.runs[i].text.split()[0] for i in select(page)]


@pytest.mark.parametrize("select", [ccb, accb, tccb])
def test_text_is_kept_where_text_outweighs_code_and_menus_only_at_its_very_edge(
    select: Select, page_of: Callable[..., Page]
) -> None:
    kept = words(page_of(f"<ul>{MENU}</ul>{PARAGRAPH * 12}<ul>{MENU}</ul>"), select)
    assert kept.count("The") == 12
    assert kept.count("Section") <= 6


@pytest.mark.parametrize("select", [ccb, accb, tccb])
def test_a_short_line_between_paragraphs_is_blurred_into_them(select: Select, page_of: Callable[..., Page]) -> None:
    assert "Costs" in words(page_of(f"{PARAGRAPH * 6}<h3>Costs</h3>{PARAGRAPH * 6}"), select)


@pytest.mark.parametrize("select", [ccb, accb, tccb])
def test_a_page_without_text_gives_nothing(select: Select, page_of: Callable[..., Page]) -> None:
    assert select(page_of("<br>")) == ()


def test_text_full_of_links_is_kept_when_their_tags_do_not_count(page_of: Callable[..., Page]) -> None:
    page = page_of(LINKED * 40)
    assert len(accb(page)) > 30
    assert len(ccb(page)) == 0


def test_blurring_is_close_to_a_gaussian_of_that_width() -> None:
    values = np.zeros(2001)
    values[1000] = 1.0
    blurred = blur(values, 50)
    places = np.arange(2001) - 1000
    gaussian = np.exp(-(places**2) / (2 * 50**2)) / (50 * np.sqrt(2 * np.pi))
    assert blurred.sum() == pytest.approx(1.0)
    assert np.abs(blurred - gaussian).max() < 0.07 * gaussian.max()
