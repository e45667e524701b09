"""Boosted decision trees as nested nodes, for models that see one row a page. Evaluating them needs no numpy.

A node is a list [feature, threshold, left, right], or a number: a leaf's part of the score. A model's file has the same
form as JSON. A walk takes half the time of one over a table of nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

Tree: TypeAlias = Any
"""A leaf's number, or [feature, threshold, left, right]: the index of the measure that the node tests, the value up to
and including which a row goes left, and the trees on both sides. A type that refers to itself would make every use of a
node a cast."""


def score_trees(trees: Sequence[Tree], row: Sequence[float]) -> float:
    """Returns the sum of the leaves in which the row ends, added in the order of the trees."""
    total = 0.0
    for node in trees:
        while node.__class__ is list:
            feature, threshold, left, right = node
            node = left if row[feature] <= threshold else right
        total += node
    return total


def features_of(tree: Tree) -> Iterator[int]:
    """Yields the feature of every test of a tree."""
    if isinstance(tree, list):
        feature, _, left, right = tree
        yield feature
        yield from features_of(left)
        yield from features_of(right)
