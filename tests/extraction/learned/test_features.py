"""The features of each run have the meaning of their names, and the same columns on every page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from newscrawl.extraction.learned.features import FEATURES, look_at, page_features
from newscrawl.extraction.learned.model import CONTEXT_FEATURES, context_features
from newscrawl.extraction.learned.text import CharacterStats, Texts, tokens
from newscrawl.extraction.learned.tree import groups_of, weigher, words_of
from newscrawl.page import Page, parse


@pytest.fixture
def value(article_page: Page) -> Callable[[str, str], float]:
    """`value(text, feature)`: of the first run that begins with `text`."""
    rows = page_features(look_at(article_page), weigher({"article": 1.5, "footer": -2.0}))

    def get(text: str, feature: str) -> float:
        row = next(i for i, run in enumerate(article_page.runs) if run.text.startswith(text))
        return float(rows[row, FEATURES.index(feature)])

    return get


def test_every_name_stands_for_one_column(article_page: Page) -> None:
    look = look_at(article_page)
    rows = page_features(look, weigher({}))
    assert rows.shape == (len(article_page.runs), len(FEATURES))
    assert len(set(FEATURES)) == len(FEATURES)
    context = context_features(look, rows[:, 0] / 10)
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
        ("The town council", "classic_group", 1),
        ("The town council", "justext_alone", 2),
        ("The town council", "before_group", 0),
        ("The town council", "above_body", 1),
        ("“We have waited", "quotes", 2),
        ("Section 3", "linked_words", 1),
        ("Section 3", "in_nav", 1),
        ("New bridge", "is_headline", 1),
        ("New bridge", "in_title", 1),
        ("© 2024", "signs", 1),
        ("© 2024", "in_footer", 1),
        ("© 2024", "path_least", -2),
        ("By Ann", "near_byline", 1),
    ],
)
def test_a_feature_says_what_it_is_named_for(
    value: Callable[[str, str], float], text: str, feature: str, expected: float
) -> None:
    assert value(text, feature) == pytest.approx(expected)


def test_neighbours_values_are_the_neighbours_own(article_page: Page) -> None:
    rows = page_features(look_at(article_page), weigher({}))
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
    look = look_at(parse("word"))
    rows = page_features(look, weigher({}))
    assert rows.shape == (1, len(FEATURES))
    assert np.isfinite(context_features(look, np.zeros(1, np.float32))).all()


def test_a_character_of_a_script_without_blanks_says_as_much_as_three_letters() -> None:
    texts = Texts(parse("<p>新桥开工</p><p>abc def</p>"), frozenset())
    assert texts.characters.tolist() == [12, 7]


def test_function_characters_are_the_stop_words_of_chinese() -> None:
    texts = Texts(parse("<p>市长的承诺是在河上修建了桥</p><p>新闻中心</p>"), frozenset())
    assert texts.stopwords[0] == 1
    assert texts.stopwords[1] == 0


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("One. Two! 3.5 “Four.” five?", "sentences", 4),
        ("他说。我说！", "sentences", 2),
        ("a, b、c；d", "commas", 3),
        ("The Town of Three", "capitals", 3),
        ("in 2024", "digits", 4),
        ("in 2024", "pieces", 2),
        ("𠀀𠀁 😀", "blankless", 2),
    ],
)
def test_signs_are_counted_in_every_script(text: str, kind: str, count: int) -> None:
    stats = CharacterStats(["before, 1", text, "After. 1"])
    assert getattr(stats, kind)[1] == count


def test_the_declared_language_counts_only_where_the_text_bears_it_out() -> None:
    german = (
        "Der Rat der Stadt hat am Dienstag über die neue Brücke beraten, und es kamen mehr Leute als in der Stadt. "
    )
    page = parse(f"<html lang=en><body><p>{german * 3}</p></body></html>")
    assert look_at(page).texts.stopwords[0] > 0.3
