"""The first steps over columns give the results of the recipes' single steps."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from newscrawl.extraction.boilerpipe.blocks import END_OF_TEXT, TextDocument, document_of
from newscrawl.extraction.boilerpipe.columns import content_of
from newscrawl.extraction.boilerpipe.recipes import ARTICLE, ARTICLE_SENTENCES, WIDE, Recipe, select
from newscrawl.page import Page, parse

WORDS = "the river rose by half a metre — over night, readers’ letters said: 3.5% more © 2020 & <b>so</b> on".split()
PIECES = (
    "<p>{text}</p>",
    "<p>{text}</p><p>&nbsp;</p>",
    "<div><p>{text} <a href=/x>{link}</a></p></div>",
    "<ul><li>{link}<li><a href=/y>{text}</a></ul>",
    "<h2>{link}</h2>",
    "<h1>River floods the valley</h1>",
    "<h3>Comments</h3>",
    "<p>12 comments so far</p>",
    "<a href=#c>Comment</a>",
    "<noscript>{text}</noscript>",
    "<section><blockquote>{text}</blockquote></section>",
)


@pytest.fixture(params=range(60))
def page(request: pytest.FixtureRequest) -> Page:
    """A made page of random pieces in which every step has something to do."""
    chosen = random.Random(request.param)

    def text(most: int) -> str:
        return " ".join(chosen.choices(WORDS, k=chosen.randint(1, most)))

    pieces = chosen.choices(PIECES, k=chosen.randint(1, 40))
    body = "".join(piece.format(text=text(60), link=text(6)) for piece in pieces)
    return parse(f"<title>River floods the valley - The Daily Example</title>{body}")


def _stepwise(page: Page, recipe: Recipe, steps: int | None = None) -> TextDocument:
    document = document_of(page)
    for step in recipe.steps[:steps]:
        step.process(document)
    return document


def test_columns_leave_the_blocks_that_seven_steps_leave(page: Page) -> None:
    def seen(document: TextDocument) -> list[tuple[object, ...]]:
        return [
            (b.runs, b.texts, b.words, b.linked_words, b.link_density, b.start, b.end, b.level, b.content)
            for b in document.blocks
        ]

    fast, slow = content_of(page), _stepwise(page, WIDE, -1)
    assert seen(fast) == seen(slow)
    assert [b.labels for b in fast.blocks] == [b.labels & ~END_OF_TEXT for b in slow.blocks]


@pytest.mark.parametrize("recipe", [WIDE, ARTICLE, ARTICLE_SENTENCES], ids=lambda recipe: recipe.name)
def test_recipes_select_the_same_watched_or_not(page: Page, recipe: Recipe) -> None:
    found = select(page, recipe.name)
    assert found == select(page, recipe.name, lambda *_: None)
    assert all(one < other for one, other in pairwise(found))


def test_a_page_of_nothing_has_no_blocks() -> None:
    assert content_of(parse("")).blocks == []
    assert content_of(parse("<noscript>only this</noscript>")).blocks == []
