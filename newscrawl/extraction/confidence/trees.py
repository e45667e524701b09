"""A boosted decision tree as plain lists, for models that see one row a page. Evaluating it needs no numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

LEAF: Final = -1
"""The feature of a node that is a leaf."""


class Tree(NamedTuple):
    """A decision tree as parallel lists. Node 0 is the root."""

    feature: list[int]
    """The index of the measure that a node tests, `LEAF` for a leaf."""
    value: list[float]
    """A test's threshold: a row goes left up to and including it. A leaf's part of the score."""
    left: list[int]
    right: list[int]

    def score(self, row: Sequence[float]) -> float:
        """Returns the value of the leaf in which the row ends."""
        feature, value, left, right = self.feature, self.value, self.left, self.right
        node = 0
        while (tested := feature[node]) != LEAF:
            node = left[node] if row[tested] <= value[node] else right[node]
        return value[node]

    def lists(self) -> list[Any]:
        """Returns the four lists in the order of the constructor, for a file."""
        return [self.feature, self.value, self.left, self.right]


def score_trees(trees: Sequence[Tree], row: Sequence[float]) -> float:
    """Returns the sum of the trees' scores of a row, added in their order."""
    total = 0.0
    for tree in trees:
        total += tree.score(row)
    return total
