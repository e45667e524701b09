"""The ensemble gives the result of walking each of its trees step by step."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from newscrawl.extraction.learned.trees import CHUNK, Trees


def test_all_rows_at_once_give_what_one_walk_after_the_other_gives(random_trees: Callable[..., Trees]) -> None:
    trees = random_trees(9, 4, 5)
    rows = np.random.default_rng(1).random((40, 5), dtype=np.float32)
    for row, probability in zip(rows, trees.probabilities(rows), strict=True):
        raw = trees.base
        for root in trees.roots:
            node = root
            while trees.left[node] != node:
                node = (trees.left if row[trees.feature[node]] <= trees.threshold[node] else trees.right)[node]
            raw += trees.value[node]
        assert probability == pytest.approx(1 / (1 + math.exp(-raw)), abs=1e-6)


def test_a_value_at_the_threshold_goes_left() -> None:
    ints, floats = np.int32, np.float32
    trees = Trees(
        np.array([0], ints),
        np.array([0, 0, 0], ints),
        np.array([2.0, 0, 0], floats),
        np.array([1, 1, 2], ints),
        np.array([2, 1, 2], ints),
        np.array([0, -9.0, 9.0], floats),
        0.0,
    )
    low, high = trees.probabilities(np.array([[2.0], [2.5]], floats))
    assert low < 0.01 < 0.99 < high


def test_no_rows_give_no_probabilities(random_trees: Callable[..., Trees]) -> None:
    assert random_trees(3, 2, 4).probabilities(np.zeros((0, 4), np.float32)).shape == (0,)


def test_more_rows_than_one_chunk_give_what_each_row_gives_alone(random_trees: Callable[..., Trees]) -> None:
    trees = random_trees(5, 3, 4)
    rows = np.random.default_rng(2).random((2 * CHUNK + 3, 4), dtype=np.float32)
    alone = [float(trees.probabilities(row[None])[0]) for row in rows]
    assert trees.probabilities(rows).tolist() == pytest.approx(alone, abs=1e-7)


@pytest.mark.parametrize("rows", [1, 2, 9])
def test_leaves_are_added_in_the_order_of_the_trees(random_trees: Callable[..., Trees], rows: int) -> None:
    trees = random_trees(90, 4, 5)
    chosen = np.random.default_rng(3).random((rows, 5), dtype=np.float32)
    sums = np.zeros(rows)
    for root in trees.roots:
        for place, row in enumerate(chosen):
            node = root
            while trees.left[node] != node:
                node = (trees.left if row[trees.feature[node]] <= trees.threshold[node] else trees.right)[node]
            sums[place] += float(trees.value[node])
    expected = (1.0 / (1.0 + np.exp(-(trees.base + sums)))).astype(np.float32)
    assert trees.probabilities(chosen).tolist() == expected.tolist()


def test_a_tree_of_too_many_leaves_is_refused(random_trees: Callable[..., Trees]) -> None:
    with pytest.raises(ValueError, match="64 leaves"):
        random_trees(1, 6, 4).probabilities(np.zeros((1, 4), np.float32))
