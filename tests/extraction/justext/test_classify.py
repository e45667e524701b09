"""jusText's rules, each on paragraphs built by features."""

from __future__ import annotations

import random
from collections.abc import Sequence

import justext as package
import pytest
from hypothesis import given
from hypothesis import strategies as st
from justext.core import revise_paragraph_classification

from newscrawl.extraction.justext import (
    Class,
    Paragraph,
    Rules,
    classify,
    classify_context_free,
    keep_headings,
    raise_headings,
    settle_near_good,
    settle_short,
)

STOP = frozenset({"the", "of"})
RULES = Rules()


def paragraph(length: int = 250, *, stop: float = 0.5, links: int = 0, heading: bool = False) -> Paragraph:
    """A paragraph of exactly `length` characters whose pieces are stop words in this proportion."""
    pieces = max(1, length // 4)
    stops = round(pieces * stop)
    text = " ".join(["the"] * stops + ["xyz"] * (pieces - stops))[:length].ljust(length, "x")
    return Paragraph(text, links, heading)


def classes(letters: str) -> list[Class]:
    """ "g n s b" as classes."""
    names: dict[str, Class] = {"g": "good", "n": "neargood", "s": "short", "b": "bad"}
    return [names[letter] for letter in letters.split()]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(paragraph(201), "good", id="long and grammatical"),
        pytest.param(paragraph(200), "neargood", id="200 characters are not more than 200"),
        pytest.param(paragraph(70), "neargood", id="70 characters are not short"),
        pytest.param(paragraph(69), "short", id="69 characters are short"),
        pytest.param(paragraph(69, links=1), "bad", id="short with any link"),
        pytest.param(paragraph(250, links=50), "good", id="a fifth linked is allowed"),
        pytest.param(paragraph(250, links=51), "bad", id="more than a fifth linked"),
        pytest.param(paragraph(250, stop=0.1), "bad", id="long without stop words"),
        pytest.param(paragraph(100, stop=0.1), "bad", id="of middle length without stop words"),
        pytest.param(Paragraph(paragraph(250).text + " \u00a9 2026", 0, heading=False), "bad", id="copyright sign"),
        pytest.param(Paragraph("&copy 2026", 0, heading=False), "bad", id="copyright sign misspelt"),
        pytest.param(Paragraph("", 0, heading=False), "short", id="empty"),
    ],
)
def test_a_paragraph_by_itself(given: Paragraph, expected: Class) -> None:
    assert classify_context_free(given, STOP, RULES) == expected


@pytest.mark.parametrize(
    ("stops", "expected"), [(33, "good"), (32, "good"), (31, "neargood"), (30, "neargood"), (29, "bad")]
)
def test_a_density_at_a_threshold_reaches_it(stops: int, expected: Class) -> None:
    """The package compares with `>=`; its description says `>`."""
    text = " ".join(["the"] * stops + ["xyz"] * (100 - stops))
    assert classify_context_free(Paragraph(text, 0, heading=False), STOP, RULES) == expected


def test_stop_words_are_compared_lower_cased_and_with_their_punctuation() -> None:
    assert Paragraph("The of. xyz OF", 0, heading=False).stopword_density(STOP) == 0.5


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("g s g", "g g g", id="between good ones"),
        pytest.param("b s b", "b b b", id="between bad ones"),
        pytest.param("g s b", "g b b", id="between good and bad"),
        pytest.param("b s g", "b b g", id="between bad and good"),
        pytest.param("g s n b", "g g n b", id="a near-good one on the bad side saves it"),
        pytest.param("g n s b", "g n b b", id="a near-good one on the good side does not"),
        pytest.param("b n s g", "b n g g", id="the same from above"),
        pytest.param("s g s", "b g b", id="the page's edges are bad"),
        pytest.param("s s", "b b", id="nothing but short ones"),
        pytest.param("g s s s g", "g g g g g", id="a row of short ones"),
    ],
)
def test_short_paragraphs_settle_by_their_neighbours(before: str, after: str) -> None:
    assert settle_short(classes(before)) == classes(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("b n b", "b b b", id="between bad ones"),
        pytest.param("g n b", "g g b", id="below a good one"),
        pytest.param("b n g", "b g g", id="above a good one"),
        pytest.param("n", "b", id="alone"),
        pytest.param("g n n b", "g g g b", id="the first one's new class counts for the second"),
        pytest.param("b n n g", "b g g g", id="both see the good one below"),
    ],
)
def test_near_good_paragraphs_settle_one_after_the_other(before: str, after: str) -> None:
    assert settle_near_good(classes(before)) == classes(after)


def _headed(lengths: Sequence[int]) -> list[Paragraph]:
    return [Paragraph("x" * length, 0, heading=i == 0) for i, length in enumerate(lengths)]


@pytest.mark.parametrize(("between", "kept"), [(0, True), (200, True), (201, False)])
def test_a_heading_is_kept_within_200_characters_of_good_text(between: int, kept: bool) -> None:
    paragraphs = _headed([10, between, 300])
    found = keep_headings(paragraphs, classes("s s g"), classes("b b g"), RULES)
    assert found == classes("g b g" if kept else "b b g")


def test_a_heading_that_is_bad_by_itself_stays_bad() -> None:
    assert keep_headings(_headed([10, 300]), classes("b g"), classes("b g"), RULES) == classes("b g")


def test_a_kept_heading_does_not_save_the_heading_above_it() -> None:
    paragraphs = [Paragraph("x" * 150, 0, heading=True) for _ in range(3)] + [Paragraph("x" * 300, 0, heading=False)]
    found = keep_headings(paragraphs, classes("s s s g"), classes("b b b g"), RULES)
    assert found == classes("b g g g")


def test_text_that_is_no_heading_is_not_kept_for_its_distance() -> None:
    paragraphs = [Paragraph("x", 0, heading=False), Paragraph("x" * 300, 0, heading=False)]
    assert keep_headings(paragraphs, classes("s g"), classes("b g"), RULES) == classes("b g")


def test_raised_headings_let_short_text_below_them_live() -> None:
    paragraphs = _headed([10, 20, 300])
    assert raise_headings(paragraphs, classes("s s g"), RULES) == classes("n s g")
    built = [paragraph(30, heading=True), paragraph(30), paragraph(300)]
    assert classify(built, STOP, RULES) == classes("g b g"), "the package's way"
    assert classify(built, STOP, Rules(raise_headings=True)) == classes("g g g"), "the description's way"


def test_characters_of_scripts_without_blanks_can_weigh_more() -> None:
    text = "中文" * 20 + "abc"
    assert Rules().length(text) == 43
    assert Rules(blankless_weight=3).length(text) == 123


@given(st.lists(st.tuples(st.sampled_from("gnsb"), st.integers(1, 150), st.booleans()), max_size=40))
def test_neighbours_decide_as_in_the_package(described: list[tuple[str, int, bool]]) -> None:
    paragraphs = [Paragraph("x" * length, 0, heading) for _, length, heading in described]
    alone = classes(" ".join(letter for letter, _, _ in described))
    found = keep_headings(paragraphs, alone, settle_near_good(settle_short(alone)), RULES)
    assert found == _as_in_the_package(paragraphs, alone)


def _as_in_the_package(paragraphs: Sequence[Paragraph], alone: Sequence[Class]) -> list[str]:
    theirs = []
    for built, klass in zip(paragraphs, alone, strict=True):
        other = package.core.Paragraph(package.core.PathInfo())
        other.append_text(built.text)
        other.cf_class, other.heading = klass, built.heading
        theirs.append(other)
    revise_paragraph_classification(theirs)
    return [other.class_type for other in theirs]


def test_classes_are_the_same_however_often_they_are_computed() -> None:
    shuffled = random.Random(2)
    built = [paragraph(shuffled.randrange(10, 400), heading=shuffled.random() < 0.2) for _ in range(100)]
    assert classify(built, STOP, RULES) == classify(built, STOP, RULES)
