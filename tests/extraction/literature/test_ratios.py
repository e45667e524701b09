"""Algorithms that judge lines by ratios of text, tags and links."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.lines import TextLine
from newscrawl.extraction.literature.ratios import (
    MAX_BARE_LINES,
    QUOTA,
    cetr,
    danag,
    dsc,
    lqf,
    normalised_source,
    outside_origin,
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


def test_a_million_empty_elements_are_no_million_lines() -> None:
    source = normalised_source([line(100, 2_000_000, 9_000_000)])
    assert len(source) == MAX_BARE_LINES + 1
    assert source[-1].line == 0


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
