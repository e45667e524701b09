"""Which runs of the article's element outside of its group belong to the article."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.extraction.cleanup.draft import common_ancestors, run_filters
from newscrawl.extraction.cleanup.finish import NO_BOXES, NO_CONSENT
from newscrawl.extraction.cleanup.within import fill_in
from newscrawl.page import Page
from newscrawl.page.elements import Elements

PROSE = "The council agreed on Tuesday to build the new bridge over the river after all."
MakePage = Callable[..., Page]
Select = Callable[[Page, list[str]], tuple[int, ...]]


@pytest.mark.parametrize(
    "between",
    ["<blockquote><p>Well said.</p></blockquote>", "<ul><li>One point.</li></ul>", "<h3>Sub-head</h3>",
     "<table><tr><td>5 km</td></tr></table>", f"<div><p>{PROSE}</p></div>"],
)  # fmt: skip
def test_quotations_lists_tables_sub_heads_and_prose_between_paragraphs_come_back(
    page_of: MakePage, between: str
) -> None:
    page = page_of(f"<article><p>{PROSE}</p>{between}<p>{PROSE}</p></article>")
    assert fill_in(page, (0, len(page.runs) - 1), range(len(page.runs))) == tuple(range(len(page.runs)))


@pytest.mark.parametrize(
    "between",
    ["<div>Story continues</div>", f"<div class=ad><p>{PROSE}</p></div>",
     "<div class=related-links><ul><li>Bridge opens</li></ul></div>",
     f"<aside><p>{PROSE}</p></aside>", f"<figure><p>{PROSE}</p></figure>", f"<ul hidden><li>{PROSE}</li></ul>",
     f"<ul><li><a href=/>{PROSE}</a></li></ul>"],
)  # fmt: skip
def test_labels_boxes_hidden_text_and_links_do_not(page_of: MakePage, between: str) -> None:
    page = page_of(f"<article><p>{PROSE}</p>{between}<p>{PROSE}</p></article>")
    assert fill_in(page, (0, 2), range(3)) == (0, 2)


@pytest.mark.parametrize("label", ["Advertisement", "Publicidad", "ANZEIGE", "广告"])
def test_what_stands_below_the_word_for_advertisement_does_not(page_of: MakePage, label: str) -> None:
    page = page_of(f"<article><p>{PROSE}</p><table><tr><td>{label}<br>{PROSE}</table><p>{PROSE}</p></article>")
    assert fill_in(page, (0, 3), range(4))[-2:] == (1, 3)


def test_cards_between_cards_come_back_and_a_card_between_paragraphs_does_not(page_of: MakePage) -> None:
    card, other = f"<div class=card><p>{PROSE}</p></div>", f"<div class=card><div><p>{PROSE}</p></div></div>"
    assert fill_in(page_of(f"<article>{card}{other}{card}</article>"), (0, 2), range(3)) == (0, 1, 2)
    assert fill_in(page_of(f"<article><p>{PROSE}</p>{other}<p>{PROSE}</p></article>"), (0, 2), range(3)) == (0, 2)


def test_only_what_boilerpipe_keeps_comes_back(page_of: MakePage) -> None:
    page = page_of(f"<article><p>{PROSE}</p><blockquote>{PROSE}</blockquote><p>{PROSE}</p></article>")
    assert fill_in(page, (0, 2), (0, 2)) == (0, 2)


def test_what_stands_outside_the_articles_element_does_not(page_of: MakePage) -> None:
    page = page_of(f"<table><tr><td><ul><li>{PROSE}</ul></table><article><p>{PROSE}</p><p>{PROSE}</p></article>")
    assert fill_in(page, (1, 2), range(3)) == (1, 2)


def test_boxes_among_the_paragraphs_are_dropped(page_of: MakePage) -> None:
    box = "<div class=author-bio><p>The author writes about bridges.</p></div>"
    page = page_of(f"<article><p>{PROSE}</p>{box}<p>{PROSE}</p></article>")
    assert run_filters(page, range(3), [NO_BOXES]) == (0, 2)


def test_an_article_in_an_element_with_the_name_of_a_box_stays(page_of: MakePage) -> None:
    page = page_of(f"<div class=related><div><p>{PROSE}</p><p>{PROSE}</p></div></div>")
    assert run_filters(page, (0, 1), [NO_BOXES]) == (0, 1)


def test_a_page_with_all_its_paragraphs_in_boxes_keeps_them(page_of: MakePage) -> None:
    page = page_of(f"<article><p class=social>{PROSE}</p><p class=social>{PROSE}</p></article>")
    assert run_filters(page, (0, 1), [NO_BOXES]) == (0, 1)


def test_nothing_stays_nothing(page_of: MakePage) -> None:
    assert fill_in(page_of("<p>text</p>"), (), ()) == ()


def test_the_common_ancestors_of_elements(make_elements: Callable[[str], Elements]) -> None:
    elements = make_elements("body>0 div>1 p>2 p>2 div>1 p>5")
    assert common_ancestors(elements, [3, 4]) == (2, 1, 0)
    assert common_ancestors(elements, [3, 6]) == (1, 0)
    assert common_ancestors(elements, [2, 3]) == (2, 1, 0)
    assert common_ancestors(elements, [3]) == (3, 2, 1, 0)


def test_a_consent_notice_is_dropped_before_anything_is_chosen(page_of: MakePage) -> None:
    notice = f"<div id=onetrust-banner><p>{PROSE}</p><p>{PROSE}</p></div>"
    page = page_of(f"{notice}<article class=tag-privacy>{f'<p>{PROSE}</p>' * 5}</article>")
    assert run_filters(page, range(7), [NO_CONSENT]) == (2, 3, 4, 5, 6)


def test_a_page_of_nothing_but_what_is_named_consent_keeps_it(page_of: MakePage) -> None:
    page = page_of(f"<div id=privacy-page>{f'<p>{PROSE}</p>' * 5}</div><p>Contact</p>")
    assert run_filters(page, range(6), [NO_CONSENT]) == (0, 1, 2, 3, 4, 5)
