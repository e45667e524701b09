"""ROUGE-LSum as Lin 2004 defines it, on texts small enough to count by hand, and in bounded time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from newscrawl.bench.scores import EMPTY_OUTPUT, rouge_lsum


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


def test_an_empty_output_has_no_precision() -> None:
    assert rouge_lsum("a b", "--") == EMPTY_OUTPUT


def test_many_lines_and_long_lines_take_linear_time(doubling: Callable[..., None]) -> None:
    def text(lines: int, mark: str) -> str:
        return "\n".join(f"the line {mark} number {n} says {n * 7} and {n % 5}" for n in range(lines))

    doubling(lambda texts: rouge_lsum(*texts), lambda n: (text(n, "one"), text(n, "two")), 200)
    doubling(lambda texts: rouge_lsum(*texts), lambda n: ("a b c " * n, "b c d " * n), 2000)
