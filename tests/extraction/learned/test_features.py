"""Features say of each run what they are named for, and have the same columns on every page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from newscrawl.extraction.learned.context import CONTEXT_FEATURES, context_features
from newscrawl.extraction.learned.features import FEATURES, page_features
from newscrawl.extraction.learned.names import groups_of, words_of
from newscrawl.extraction.learned.text import tokens
from newscrawl.page import Page, parse


@pytest.fixture
def value(article_page: Page) -> Callable[[str, str], float]:
    """`value(text, feature)`: of the first run that begins with `text`."""
    _, rows = page_features(article_page, {"article": 1.5, "footer": -2.0})

    def get(text: str, feature: str) -> float:
        row = next(i for i, run in enumerate(article_page.runs) if run.text.startswith(text))
        return float(rows[row, FEATURES.index(feature)])

    return get


def test_every_name_stands_for_one_column(article_page: Page) -> None:
    tree, rows = page_features(article_page, {})
    assert rows.shape == (len(article_page.runs), len(FEATURES))
    assert len(set(FEATURES)) == len(FEATURES)
    context = context_features(tree, rows[:, 0] / 10)
    assert context.shape == (len(article_page.runs), len(CONTEXT_FEATURES))
    assert np.isfinite(rows).all()
    assert np.isfinite(context).all()


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("The town council", "is_p", 1),
        ("The town council", "in_article", 1),
        ("The town council", "ends_sentence", 1),
        ("The town council", "linked_words", 0),
        ("The town council", "boilerpipe_wide", 1),
        ("The town council", "above_body", 1),
        ("“We have waited", "quotes", 2),
        ("Section 3", "linked_words", 1),
        ("Section 3", "in_nav", 1),
        ("New bridge", "is_headline", 1),
        ("New bridge", "in_title", 1),
        ("© 2024", "copyright", 1),
        ("© 2024", "in_footer", 1),
        ("© 2024", "path_least", -2),
        ("By Ann", "own_byline", 1),
    ],
)
def test_a_feature_says_what_it_is_named_for(
    value: Callable[[str, str], float], text: str, feature: str, expected: float
) -> None:
    assert value(text, feature) == pytest.approx(expected)


def test_neighbours_values_are_the_neighbours_own(article_page: Page) -> None:
    _, rows = page_features(article_page, {})
    own, before = rows[:, FEATURES.index("log_characters")], rows[:, FEATURES.index("log_characters-1")]
    assert before[1:].tolist() == own[:-1].tolist()
    assert before[0] == -1


def test_names_are_cut_into_their_words() -> None:
    page = parse("<body><div id='mainStory' class='article-body_2 XYZ'>text</div></body>")
    element = page.runs[0].element
    assert words_of(page.elements, element) == ("article", "body", "main", "story", "xyz")
    assert groups_of(page.elements, element) & 1


def test_scripts_without_blanks_are_compared_by_characters() -> None:
    assert tokens("新桥 opens in 2024年") == ["新", "桥", "opens", "in", "2024", "年"]


def test_a_page_of_one_word_has_features() -> None:
    tree, rows = page_features(parse("word"), {})
    assert rows.shape == (1, len(FEATURES))
    assert np.isfinite(context_features(tree, np.zeros(1, np.float32))).all()
