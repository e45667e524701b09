"""DANAg on pages."""

from __future__ import annotations

from collections.abc import Callable

from newscrawl.extraction.literature import danag
from newscrawl.page import Page

PARAGRAPH = "<p>The council met on Tuesday and said that it will build the library after all this year.</p>"


def kept(page: Page) -> list[str]:
    return [page.runs[i].text.split()[0] for i in danag.select(page)]


def test_menus_fall_below_the_axis_but_for_the_lines_beside_the_text(page_of: Callable[..., Page]) -> None:
    menu = "".join(f'<li class="menu"><a href="/section/{n}">Section</a></li>' for n in range(8))
    page = page_of(f"<ul>{menu}</ul>{PARAGRAPH * 4}<ul>{menu}</ul>")
    assert kept(page) == ["Section", "The", "The", "The", "The"]


def test_a_short_line_between_paragraphs_is_lifted_with_them(page_of: Callable[..., Page]) -> None:
    assert kept(page_of(f"{PARAGRAPH}<h3>Costs</h3>{PARAGRAPH}")) == ["The", "Costs", "The"]


def test_paragraphs_beyond_an_advert_are_reached_and_the_advert_is_not_kept(page_of: Callable[..., Page]) -> None:
    boxes = "<div class='box'></div>" * 5
    advert = f'{boxes}<p><a class="{"box" * 30}" href="/ad">Advert</a></p>{boxes}'
    assert kept(page_of(PARAGRAPH * 3 + advert + PARAGRAPH)) == ["The"] * 4


def test_text_beyond_the_gap_is_not_reached(page_of: Callable[..., Page]) -> None:
    menu = "".join(f'<li class="menu"><a href="/section/{n}">Section</a></li>' for n in range(12))
    assert kept(page_of(f"{PARAGRAPH * 3}<ul>{menu}</ul><p>Copyright {'belongs to the paper ' * 8}</p>")) == ["The"] * 3


def test_a_page_that_is_all_code_gives_nothing(page_of: Callable[..., Page]) -> None:
    assert danag.select(page_of('<p><a href="/a">x</a></p>' * 5)) == ()
    assert danag.select(page_of("")) == ()


def test_lines_of_a_script_without_blanks_weigh_by_what_they_say(page_of: Callable[..., Page]) -> None:
    page = page_of(f'<p class="text-paragraph">{"图书馆明年开放" * 2}</p>' * 3)
    assert len(danag.select(page)) == 3
