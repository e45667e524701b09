"""The limits of the model of kinds, chosen on guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log1p

import pytest

from benchmarks.train_kinds.pages import OF_KINDS, KindPage
from benchmarks.train_kinds.study import (
    CHOICES,
    LISTED_SHARE,
    MAX_LOST,
    MAX_LOST_OF_CORPUS,
    OTHERS,
    Guess,
    choose_limits,
)
from newscrawl.article.page_kinds.features import KIND_FEATURES
from newscrawl.article.page_kinds.model import ARTICLE, BARE, LISTED, MIN_TEXT, SHORT, is_bare, limit_of

ROW = (1.0,) * len(KIND_FEATURES)
VALUES = {group: values for groups, values in CHOICES for group in groups}


def page(kind: str, corpus: str = OF_KINDS) -> KindPage:
    words = dict.fromkeys(("names", "address", "links", "English words"), frozenset[str]())
    return KindPage(corpus, "1", kind, "site.example", "", ROW, words, True, False, "article", "en")


def limits(
    articles: Sequence[tuple[float, str]],
    number: int = 600,
    found: Sequence[Guess] = (),
    corpus: str = "wcxb",
    by_rules: int = 0,
) -> dict[str, float]:
    """The limits with these guesses on articles of the corpus, of `number` articles in all, and with guesses on other
    pages. The rules lose `by_rules` articles of the corpus."""
    guesses = [Guess(page(ARTICLE, corpus), article, kind) for article, kind in articles]
    rest = [page(ARTICLE, "wcxb")] * (number - len(articles)) + [page(kind) for kind in OTHERS]
    rest += [replace(page(ARTICLE, corpus), rules="listing")] * by_rules
    return dict(choose_limits([*rest, *(guess.page for guess in [*guesses, *found])], [*guesses, *found]))


def others(kind: str, article: float, group: str | None = None, number: int = 3) -> list[Guess]:
    """Guesses on other pages of a kind, with this probability of an article."""
    return [Guess(page(kind), article, group or kind) for _ in range(number)]


def test_a_limit_is_as_high_as_finds_more_pages_and_loses_no_article() -> None:
    found = limits([(0.9, "forum")], 300, [*others("forum", 0.15), *others("service", 0.04)])
    assert found["forum"] == found["product"] == 0.2
    assert found["documentation"] == VALUES["documentation"][0]
    assert found["service"] == 0.05
    assert found["listing"] == VALUES["listing"][0]
    assert found[BARE] == VALUES[BARE][0]


def test_no_limit_reaches_an_article_among_few() -> None:
    found = limits([(0.045, "service"), (0.9, "forum")], 300, others("service", 0.04))
    assert found["service"] == 0.03
    assert limits([(0.9, "service")], 300, others("service", 0.04))["service"] == 0.05


def test_an_article_may_be_lost_among_many_where_that_finds_most() -> None:
    articles = [(0.045, "service"), (0.06, "listing")]
    found = [*others("service", 0.04), *others("listing", 0.065, number=9)]
    few, many = limits(articles, 300, found), limits(articles, int(1 / MAX_LOST) + 1, found)
    assert (few["service"], few["listing"]) == (0.03, 0.05)
    assert (many["service"], many["listing"]) == (0.03, 0.07)


def test_a_corpus_loses_no_more_than_its_part_by_rules_and_limits() -> None:
    article, found = [(0.045, "service")], others("service", 0.04)
    assert int(MAX_LOST_OF_CORPUS * 400) == 2
    assert limits(article, 400, found)["service"] == 0.05
    assert limits(article, 400, found, by_rules=1)["service"] == 0.05
    assert limits(article, 400, found, by_rules=2)["service"] == 0.03
    assert limits(article, 400, found, corpus="magic_html_article")["service"] == 0.03  # the only one of its corpus


def test_the_lowest_limits_are_kept_if_too_many_articles_are_below_all() -> None:
    found = limits([(0.001, "forum")] * 5, 300, others("forum", 0.25))
    assert {group: found[group] for group in VALUES} == {group: values[0] for group, values in VALUES.items()}


def test_bare_pages_have_a_limit_of_their_own() -> None:
    found = limits([(0.9, BARE)], 300, others("service", 0.09, BARE))
    assert found[BARE] == 0.1
    assert found["service"] == VALUES["service"][0]


def test_bare_pages_with_a_short_text_have_a_higher_limit() -> None:
    found = limits([(0.9, BARE)], 300, others("service", 0.35, SHORT))
    assert found[SHORT] == 0.4
    assert found[BARE] == VALUES[BARE][0]
    row = [0.0] * len(KIND_FEATURES)
    assert limit_of(row, "service") == SHORT
    row[KIND_FEATURES.index("text words")] = log1p(MIN_TEXT)
    assert limit_of(row, "service") == BARE
    row[KIND_FEATURES.index("any date")] = 1
    assert limit_of(row, "service") == "service"


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
    assert bare(url_home=1, any_date=1, declared_date=1)


def test_the_limit_of_listed_pages_is_far_below_every_article() -> None:
    assert limits([(0.04, "forum"), (0.02, "service")])[LISTED] == pytest.approx(0.02 * LISTED_SHARE)
