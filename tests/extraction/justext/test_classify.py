"""jusText's rules, each on paragraphs built by features."""

from __future__ import annotations

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


def _headed(lengths: Sequence[int]) -> list[Paragraph]:
    return [Paragraph("x" * length, 0, heading=i == 0) for i, length in enumerate(lengths)]


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
