"""Trees of scikit-learn's histogram boosting as plain lists."""

from __future__ import annotations

import numpy as np

from benchmarks.support.learning import plain_tree

NODES = np.array(
    [(0, 3, 0.123456, 1, 2, 0.5), (1, 0, 0.0, 0, 0, -0.6), (1, 0, 0.0, 0, 0, 0.333333)],
    dtype=[
        ("is_leaf", "u1"),
        ("feature_idx", "i4"),
        ("num_threshold", "f8"),
        ("left", "u4"),
        ("right", "u4"),
        ("value", "f8"),
    ],
)


def test_a_tree_keeps_its_thresholds_and_scores_in_the_given_digits() -> None:
    tree = plain_tree(NODES, 3)
    assert tree.lists() == [[3, -1, -1], [0.123, -0.6, 0.333], [1, 0, 0], [2, 0, 0]]


def test_a_tree_of_an_average_has_a_share_of_its_scores_and_the_same_thresholds() -> None:
    tree = plain_tree(NODES, 3, share=0.5)
    assert tree.value == [0.123, -0.3, 0.167]
    assert tree.score([0, 0, 0, 0.1]) == -0.3
