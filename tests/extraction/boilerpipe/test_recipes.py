"""Recipes end to end, on small pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.recipes import RECIPES, select
from newscrawl.page import Page, parse

SENTENCE = "The river rose by almost two metres within one night, and the old bridge has been closed since then. "
"""18 words, more than one line."""

PAGE = f"""<html><head><title>River closes the old bridge | Example Post</title></head><body>
<ul><li><a href=/>Home</a></li><li><a href=/w>Weather today</a></li><li><a href=/s>Sport</a></li></ul>
<div><div>
  <h1>River closes the old bridge</h1>
  <div>By Ann Author</div>
  <p>{SENTENCE * 3}</p>
  <p>{SENTENCE * 4}</p>
  <h3>What the town says</h3>
  <p>{SENTENCE * 3}</p>
  <p>&nbsp;</p>
  <p>{SENTENCE * 2}</p>
  <h3>More stories</h3>
</div></div>
<div><a href=/1>Ferry stopped</a> <a href=/2>Snow expected</a></div>
<div>Reader comments</div>
<section><article><p>{SENTENCE * 2}</p></article></section>
<footer><p>Copyright Example Post</p></footer>
</body></html>"""


def text_of(page: Page, recipe: str) -> list[str]:
    return [page.runs[run].text for run in select(page, recipe)]


def test_the_article_recipe_keeps_headline_and_text_and_nothing_below_the_comments() -> None:
    texts = text_of(parse(PAGE), "boilerpipe-article")
    assert texts[0] == "River closes the old bridge"
    assert "What the town says" in texts
    assert sum(text.startswith("The river") for text in texts) == 4
    assert not {"Home", "More stories", "Reader comments", "Copyright Example Post"} & set(texts)


def test_the_wide_recipe_keeps_what_an_advert_cut_off_from_the_largest_block() -> None:
    advert = "<div><div><a href=/ad>Buy this very good umbrella today</a></div><div>Ad</div><div>Ad</div></div>"
    page = parse(f"<section><p>{SENTENCE * 5}</p></section>{advert * 2}<p>{SENTENCE * 2}</p>")
    wide, article = select(page, "boilerpipe-wide"), select(page, "boilerpipe-article")
    assert set(article) < set(wide)
    assert len(article) == 1


def test_sentences_are_the_paragraphs_of_the_article_that_hold_one() -> None:
    page = parse(PAGE)
    sentences, article = text_of(page, "boilerpipe-article-sentences"), text_of(page, "boilerpipe-article")
    assert sentences == [text for text in article if text.startswith("The river")]


@pytest.mark.parametrize(
    "recipe", ["boilerpipe-default", "boilerpipe-largest", "boilerpipe-canola", "boilerpipe-num-words"]
)
def test_the_other_recipes_find_the_text_and_drop_the_menu(recipe: str) -> None:
    texts = text_of(parse(PAGE), recipe)
    assert sum(text.startswith("The river") for text in texts) >= 4
    assert not {"Home", "Weather today", "Sport"} & set(texts)


def test_chinese_text_is_found_although_it_has_no_blanks() -> None:
    paragraph = "昨夜大雨使河水上涨近两米，旧桥因此关闭。" * 4
    page = parse(
        f"<ul><li><a href=/>首页</a></ul><div><p>{paragraph}</p><p>{paragraph}</p></div><p><a href=/a>更多</a></p>"
    )
    texts = text_of(page, "boilerpipe-article")
    assert texts.count(paragraph) == 2
    assert "更多" not in texts


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize(
    "html",
    [
        "",
        "x",
        "&nbsp;",
        "<p>&nbsp;<p>&nbsp;",
        "<title> - | - </title><p>-",
        "<p>one word",
        "<a href=x>" + "all links here " * 50,
        "<p><a href=x>link</a>" * 20,
        "<noscript>hidden</noscript>",
        f"<p>{SENTENCE}",
        f"<p>{SENTENCE}<p>&nbsp;",
        "<p>| - …</p>" * 5,
        "<h1>Comments</h1>" * 9,
        "\x00\x01\xff",
    ],
)
def test_odd_pages_give_runs_in_order_or_nothing(html: str, recipe: str) -> None:
    page = parse(html)
    kept = select(page, recipe)
    assert list(kept) == sorted(set(kept))
    assert all(0 <= run < len(page.runs) for run in kept)


def _tiny(n: int) -> Page:
    return parse("<p>a</p>" * n)


def _alternating(n: int) -> Page:
    return parse(f"<p>{SENTENCE}</p><p><a href=x>link</a></p><p>5 comments</p>" * (n // 3))


def _gaps(n: int) -> Page:
    return parse(f"<p>{SENTENCE}</p><p>&nbsp;</p>" * (n // 2))


def _one_long_text(n: int) -> Page:
    return parse("<p>" + "a. 12 comments, what you think - " * n + "x" * n)


def _long_title(n: int) -> Page:
    return parse(f"<title>{'a - b | c: ' * n}</title><p>{'a' * n}</p>" + "<p>a - b</p>" * n)


@pytest.mark.parametrize("make_page", [_tiny, _alternating, _gaps, _one_long_text, _long_title])
@pytest.mark.parametrize("recipe", ["boilerpipe-article-sentences", "boilerpipe-default", "boilerpipe-largest"])
def test_time_grows_in_proportion_to_the_page(doubling: Any, make_page: Callable[[int], Page], recipe: str) -> None:
    doubling(lambda page: select(page, recipe), make_page, 1_000)
