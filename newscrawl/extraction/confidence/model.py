"""The learned model of confidence: boosted trees that add up to the expected F1 of a text.

Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29 (2001), section 4.1:
with squared error, the sum of the trees is the expected value. `python -m benchmarks.train_confidence` writes the file.

A tree is nested nodes: a node is a list [feature, threshold, left, right], or a number, a leaf's part of the score. The
file has the same form as JSON. A walk takes half the time of one over a table of nodes, and needs no numpy.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from newscrawl.extraction.confidence.features import FEATURES

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


WEIGHTS_FILE: Final = "confidence.json"
DIGITS: Final = 4
"""Decimals of a confidence. Equal pages have equal ones on every machine."""


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """The mean F1 of the texts that were learned from, and the trees that add to it."""

    base: float
    trees: Sequence[Tree]

    def expected_f1(self, row: Sequence[float]) -> float:
        """Returns the expected F1 of a text, from 0 to 1, from a row of `FEATURES`."""
        raw = self.base + score_trees(self.trees, row)
        return round(min(1.0, max(0.0, raw)), DIGITS)


@cache
def load() -> ConfidenceModel:
    """Returns the model in the package; it is read once a process."""
    return unpack((files("newscrawl.extraction.confidence") / WEIGHTS_FILE).read_text(encoding="ascii"))


def unpack(text: str) -> ConfidenceModel:
    """Returns a model from the text of its file. Raises ValueError if it was trained with other features."""
    stored = json.loads(text)
    if tuple(stored["features"]) != FEATURES:
        raise ValueError(f"{WEIGHTS_FILE} has other features than this version: train it again")
    return ConfidenceModel(stored["base"], tuple(stored["trees"]))


def pack(model: ConfidenceModel) -> str:
    """Returns the text of a model's file, a tree a line. Equal models give equal texts."""
    lines = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in model.trees)
    return f'{{"features": {json.dumps(FEATURES)},\n"base": {json.dumps(model.base)},\n"trees": [\n{lines}\n]}}\n'
