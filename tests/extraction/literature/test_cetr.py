"""CETR: ratios of text to tags."""

from __future__ import annotations

from collections.abc import Callable

from newscrawl.extraction.literature import cetr
from newscrawl.page import Page

LONG = "<p>The council met on Tuesday and said that it will build the library after all, in the old mill.</p>"
MENU = "".join(f'<li><a href="/{n}">Section {n}</a></li>' for n in range(10))


def kept(page: Page) -> list[str]:
    return [page.runs[i].text.split()[0] for i in cetr.select(page)]


def test_lines_with_much_text_for_few_tags_are_content(page_of: Callable[..., Page]) -> None:
    found = kept(page_of(f"<ul>{MENU}</ul>{LONG * 5}<ul>{MENU}</ul>"))
    assert found.count("The") == 5
    assert found.count("Section") <= 4  # of twenty: smoothing and the look ahead take in the lines beside the text


def test_a_short_line_among_long_ones_is_content_too(page_of: Callable[..., Page]) -> None:
    assert "Costs" in kept(page_of(f"<ul>{MENU}</ul>{LONG * 3}<h3>Costs</h3>{LONG * 3}<ul>{MENU}</ul>"))


def test_the_edge_of_the_article_is_found_by_the_change_of_ratios(page_of: Callable[..., Page]) -> None:
    page = page_of(f"<ul>{MENU}</ul><h1>Library to be built</h1>{LONG * 5}<ul>{MENU}</ul>")
    assert "Library" in kept(page)


def test_a_page_without_text_gives_nothing(page_of: Callable[..., Page]) -> None:
    assert cetr.select(page_of("")) == ()
