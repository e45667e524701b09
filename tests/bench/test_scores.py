"""Scores of a text, their sums and intervals, and linear time."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

from newscrawl.bench.scores import (
    EMPTY_OUTPUT,
    Score,
    Snippets,
    character_score,
    character_shingles,
    common_subsequence,
    count_snippets,
    harmonic,
    matched_characters,
    rouge_lsum,
    score,
    shingles,
    summarise,
)
from newscrawl.bench.study import Bootstrap

FIVE = "one two three four five"

BY_HAND = [
    pytest.param(FIVE, FIVE, 1.0, 1.0, 1.0, id="same text"),
    pytest.param(FIVE, "one, two; three -- four\n\nfive!", 1.0, 1.0, 1.0, id="punctuation is no token"),
    pytest.param(FIVE, "ONE TWO THREE FOUR FIVE", 0.0, 0.0, 0.0, id="case counts"),
    pytest.param(FIVE, FIVE + " six", 2 / 3, 1.0, 0.8, id="one token too many"),
    pytest.param(FIVE + " six", FIVE, 1.0, 2 / 3, 0.8, id="one token missing"),
    pytest.param("a b c", "a b c", 1.0, 1.0, 1.0, id="a short text is one shingle"),
    pytest.param("a b c", "a b", 0.0, 0.0, 0.0, id="short texts match whole or not"),
    pytest.param("a b c d", "a b c d a b c d", 1 / 5, 1.0, 1 / 3, id="a repetition is counted once"),
    pytest.param("a b c d a b c d", "a b c d", 1.0, 1 / 5, 1 / 3, id="shingles are a multiset"),
    pytest.param("a b c d e f g h", "e f g h a b c d", 2 / 5, 2 / 5, 2 / 5, id="order counts at the edges only"),
]


@pytest.mark.parametrize(("gold", "output", "precision", "recall", "f1"), BY_HAND)
def test_shingle_scores_match_a_count_by_hand(
    gold: str, output: str, precision: float, recall: float, f1: float
) -> None:
    result = score(shingles(gold), shingles(output))
    assert (result.precision, result.recall, result.f1) == pytest.approx((precision, recall, f1))


def test_a_summary_leaves_empty_outputs_out_of_precision_only() -> None:
    result = summarise([Score(0.8, 0.4, harmonic(0.8, 0.4)), EMPTY_OUTPUT])
    assert (result.pages, result.empty) == (2, 1)
    assert (result.precision, result.recall) == pytest.approx((0.8, 0.2))
    assert result.f1 == pytest.approx(0.32)
    assert result.mean_f1 == pytest.approx(0.8 * 0.4 / 1.2)


def test_characters_are_tokens_for_scripts_without_blanks() -> None:
    gold, output = "今天天气很好。", "今天天气不好。"
    assert score(shingles(gold), shingles(output)).f1 == 0.0
    assert score(character_shingles(gold), character_shingles(output)).f1 == pytest.approx(1 / 3)


def test_characters_count_with_their_token() -> None:
    result = character_score("a bbb cccc", "a cccc dd")
    assert (result.precision, result.recall) == pytest.approx((5 / 7, 5 / 8))
    assert character_score(FIVE, "") == EMPTY_OUTPUT


def test_the_common_subsequence_is_as_long_as_the_textbook_one() -> None:
    chance = random.Random(7)  # the same texts every time
    for _ in range(200):
        one = [chance.choice("abcd") for _ in range(chance.randrange(12))]
        other = [chance.choice("abcd") for _ in range(chance.randrange(12))]
        found = common_subsequence(one, other)
        assert found == sorted(set(found))
        assert is_subsequence([one[i] for i in found], other)
        assert len(found) == textbook_length("".join(one), "".join(other))


@cache
def textbook_length(one: str, other: str) -> int:
    if not one or not other:
        return 0
    if one[-1] == other[-1]:
        return textbook_length(one[:-1], other[:-1]) + 1
    return max(textbook_length(one[:-1], other), textbook_length(one, other[:-1]))


def is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(token in rest for token in part)


@pytest.mark.parametrize("seed", range(10))
def test_shortcuts_do_not_change_the_matched_characters(seed: int) -> None:
    generator = random.Random(seed)
    one = generator.choices(["a", "bb", "ccc", "dddd"], k=30)
    other = [*one[:5], *generator.choices(["a", "bb", "x", "ccc"], k=20), *one[-5:]]
    assert matched_characters(one, one) == sum(map(len, one))
    direct = len(common_subsequence(one, other))
    assert matched_characters(["y" for _ in one], []) == 0
    ones, others = [f"{'abd'[len(t) % 3]}" for t in one], [f"{'abd'[len(t) % 3]}" for t in other]
    assert matched_characters(ones, others) == len(common_subsequence(ones, others))
    assert matched_characters(one, other) >= direct


@pytest.mark.parametrize(
    ("gold", "output", "precision", "recall"),
    [
        pytest.param("a b c d\ne f", "a b c d\ne f", 1, 1, id="same lines"),
        pytest.param("a b c d\ne f", "e f\n\na b c d", 1, 1, id="lines may change places"),
        pytest.param("A b C", "a B c", 1, 1, id="case does not count"),
        pytest.param("a b c d", "a x b y", 2 / 4, 2 / 4, id="order within a line counts, gaps do not"),
        pytest.param("a b c d", "d c b a", 1 / 4, 1 / 4, id="one of a reversed line"),
        pytest.param("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", 4 / 10, 4 / 5, id="Lin's own example"),
        pytest.param("a", "a a a", 1 / 3, 1, id="a token counts as often as both texts have it"),
        pytest.param("a b", "c d", 0, 0, id="nothing in common"),
    ],
)
def test_scores_match_a_count_by_hand(gold: str, output: str, precision: float, recall: float) -> None:
    result = rouge_lsum(gold, output)
    assert (result.precision, result.recall) == pytest.approx((precision, recall))


def test_many_lines_and_long_lines_take_linear_time(doubling: Callable[..., None]) -> None:
    def text(lines: int, mark: str) -> str:
        return "\n".join(f"the line {mark} number {n} says {n * 7} and {n % 5}" for n in range(lines))

    doubling(lambda texts: rouge_lsum(*texts), lambda n: (text(n, "one"), text(n, "two")), 200)
    doubling(lambda texts: rouge_lsum(*texts), lambda n: ("a b c " * n, "b c d " * n), 2000)


def test_snippets_are_looked_for_whatever_the_line_breaks() -> None:
    counts = count_snippets(
        ["the bridge opened", "not there"],
        ["share  this", "cookies"],
        "The\nthe  bridge\nopened. Share this share this",
    )
    assert counts == Snippets(found=1, missing=1, wrong=1, kept_out=1)


def page(precision: float, recall: float) -> Score:
    return Score(precision, recall, harmonic(precision, recall))


PAGES = [page(0.5 + n % 7 / 20, 0.9 - n % 5 / 10) for n in range(40)]
SITES = [f"site{n % 10}" for n in range(40)]


def test_the_value_is_the_f1_of_all_pages_and_lies_in_its_interval() -> None:
    pages = [*PAGES[1:], EMPTY_OUTPUT]
    interval = Bootstrap(SITES).f1(pages)
    assert interval.value == pytest.approx(summarise(pages).f1)
    assert interval.low < interval.value < interval.high


def test_the_same_input_gives_the_same_interval() -> None:
    assert Bootstrap(SITES).f1(PAGES) == Bootstrap(SITES).f1(PAGES)


def test_pages_of_one_site_say_less_than_pages_of_many() -> None:
    pages = [page(0.9, 0.9) if n < 20 else page(0.4, 0.4) for n in range(40)]
    together = Bootstrap([f"site{n // 10}" for n in range(40)]).f1(pages)
    apart = Bootstrap([None] * 40).f1(pages)
    assert together.high - together.low > apart.high - apart.low


def test_a_difference_is_paired() -> None:
    better = [page(min(1, (p.precision or 0) + 0.05), p.recall) for p in PAGES]
    bootstrap = Bootstrap(SITES)
    difference = bootstrap.difference(better, PAGES)
    assert difference.value == pytest.approx(bootstrap.f1(better).value - bootstrap.f1(PAGES).value)
    assert difference.is_certain
    assert not bootstrap.difference(PAGES, PAGES).is_certain
    alone = bootstrap.f1(PAGES)
    assert difference.high - difference.low < alone.high - alone.low


def test_no_pages_have_no_interval() -> None:
    assert Bootstrap([]).f1([]).value == 0
