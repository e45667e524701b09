"""A boosted decision tree as plain lists, for models that see one row a page. Evaluating it needs no numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from newscrawl.extraction.kernels import choose

LEAF: Final = -1
"""The feature of a node that is a leaf."""


class Tree(NamedTuple):
    """A decision tree as parallel lists. Node 0 is the root.

    It is a tuple, because the compiled core reads the fields of a tuple in a tenth of the time of attributes.
    """

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


def _score_trees(trees: Sequence[Tree], row: Sequence[float]) -> float:
    """Returns the sum of the trees' scores of a row, added in their order."""
    total = 0.0
    for tree in trees:
        total += tree.score(row)
    return total


_SAMPLE: Final = (
    Tree([1, LEAF, 0, LEAF, LEAF], [0.5, 0.1, 2.0, -0.7, 1e-3], [1, 0, 3, 0, 0], [2, 0, 4, 0, 0]),
    Tree([LEAF], [0.2], [0], [0]),
)
score_trees: Final = choose(
    "score_trees", _score_trees, (_SAMPLE, (0.0, 0.5)), (_SAMPLE, [2.5, 1]), (_SAMPLE, (2, True)), ((), ())
)
