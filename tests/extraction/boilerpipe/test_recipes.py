"""Recipes need linear time. tests/golden/algorithms.json has what they keep of pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from newscrawl.extraction.boilerpipe.recipes import select
from newscrawl.page import Page, parse

SENTENCE = "The river rose by almost two metres within one night, and the old bridge has been closed since then. "
"""18 words, more than one line."""


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
