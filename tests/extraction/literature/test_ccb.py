"""Content code blurring."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from newscrawl.extraction.literature.ccb import accb, anchor_code, blur, ccb, content_code_ratios, tccb
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


def test_the_code_of_links_goes_to_the_runs_with_linked_text(page_of: Callable[..., Page]) -> None:
    page = page_of("<div>plain<p>one <a class='x' href='/one'>two</a></p>three <b><a href='y'>four</a></b></div>")
    assert anchor_code(page) == [0, len("<a class='x' href='/one'></a>"), len("<a href='y'></a>")]
    assert all(links <= run.code for links, run in zip(anchor_code(page), page.runs, strict=True))


def test_runs_of_one_element_share_the_code_of_its_links_by_their_linked_characters(
    page_of: Callable[..., Page],
) -> None:
    page = page_of("<p><a href='/a'>12345678</a><br><a href='/b'>1234</a></p>")
    code = 2 * len("<a href='/a'></a>")
    assert anchor_code(page) == [code * 8 // 12, code * 4 // 12]


def test_blurring_is_close_to_a_gaussian_of_that_width() -> None:
    values = np.zeros(2001)
    values[1000] = 1.0
    blurred = blur(values, 50)
    places = np.arange(2001) - 1000
    gaussian = np.exp(-(places**2) / (2 * 50**2)) / (50 * np.sqrt(2 * np.pi))
    assert blurred.sum() == pytest.approx(1.0)
    assert np.abs(blurred - gaussian).max() < 0.07 * gaussian.max()


def test_a_run_far_from_code_has_ratio_one_and_one_alone_among_code_nearly_none() -> None:
    ratios = content_code_ratios([0, 0, 0, 3000], [3000, 10, 3000, 1], 50)
    assert ratios[1] == pytest.approx(1.0)
    assert ratios[3] < 0.1


def test_runs_without_code_between_them_are_blurred_as_one() -> None:
    together, parts = content_code_ratios([10], [60], 5)[0], content_code_ratios([10, 0], [30, 30], 5)
    assert sum(parts) / 2 == pytest.approx(together)
