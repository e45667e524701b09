"""The limits of the model of kinds, chosen on guesses."""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p

import pytest

from newscrawl.article.page_kinds.features import KIND_FEATURES
from newscrawl.article.page_kinds.model import ARTICLE, BARE, LISTED, is_bare
from newscrawl.bench.verdicts.limits import LISTED_SHARE, MARGIN, MAX_LIMIT, OTHERS, Guess, choose_limits
from newscrawl.bench.verdicts.pages import OF_KINDS, KindPage

ROW = (1.0,) * len(KIND_FEATURES)


def page(kind: str, corpus: str = OF_KINDS) -> KindPage:
    words = dict.fromkeys(("names", "address", "links", "English words"), frozenset[str]())
    return KindPage(corpus, "1", kind, "site.example", "", ROW, words, True, False, "article", "en")


def limits(articles: Sequence[tuple[float, str]], number: int = 600, found: Sequence[Guess] = ()) -> dict[str, float]:
    """The limits with these guesses on articles, of `number` articles in all, and with guesses on other pages."""
    guesses = [Guess(page(ARTICLE, "wcxb"), article, kind) for article, kind in articles]
    rest = [page(ARTICLE, "wcxb")] * (number - len(articles)) + [page(kind) for kind in OTHERS]
    return dict(choose_limits([*rest, *(guess.page for guess in [*guesses, *found])], [*guesses, *found]))


def test_no_limit_reaches_the_lowest_article_of_its_kind() -> None:
    found = limits([(0.04, "forum"), (0.06, "forum"), (0.1, "service"), (0.9, "product")])
    assert found["forum"] == pytest.approx(MARGIN * 0.04)
    assert found["service"] == pytest.approx(MARGIN * 0.1)
    assert found["product"] == found["listing"] == MAX_LIMIT


def test_an_article_may_be_lost_among_many_where_that_finds_most() -> None:
    articles = [(0.01, "forum"), (0.2, "forum"), (0.01, "service"), (0.2, "service")]
    found = [Guess(page("service"), 0.05, "service") for _ in range(3)] + [Guess(page("forum"), 0.05, "forum")]
    few, many = limits(articles, 900, found), limits(articles, 1_000, found)
    assert few["service"] == few["forum"] == many["forum"] == pytest.approx(MARGIN * 0.01)
    assert many["service"] == pytest.approx(MARGIN * 0.2)


def test_bare_pages_have_a_limit_of_their_own() -> None:
    found = limits([(0.04, "service"), (0.3, BARE)])
    assert found["service"] == pytest.approx(MARGIN * 0.04)
    assert found[BARE] == pytest.approx(MARGIN * 0.3)


def test_a_page_is_bare_without_date_author_and_block_of_prose() -> None:
    def bare(**values: float) -> bool:
        row = [0.0] * len(KIND_FEATURES)
        for name, value in values.items():
            row[KIND_FEATURES.index(name.replace("_", " "))] = value
        return is_bare(row)

    assert bare()
    assert not bare(any_date=1)
    assert not bare(authors=1)
    assert not bare(longest_block_of_prose=log1p(100))
    assert bare(url_home=1, any_date=1, longest_block_of_prose=log1p(500))
    assert not bare(url_home=1, any_date=1, declared_date=1)


def test_the_limit_of_listed_pages_is_far_below_every_article() -> None:
    assert limits([(0.04, "forum"), (0.02, "service")])[LISTED] == pytest.approx(0.02 * LISTED_SHARE)
