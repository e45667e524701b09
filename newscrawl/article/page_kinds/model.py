"""The learned model of kinds: an ensemble of boosted trees for each kind, and the probabilities that follow.

Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29 (2001), section 4.6:
each kind has trees whose leaves add up to a score, and the softmax of the scores is the probability of each kind. The
trees are evaluated in plain Python: a page is one row, and the worker processes of `classic` do not load numpy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import Final

from newscrawl.article.page_kinds.features import KIND_FEATURES
from newscrawl.extraction.plain_trees import Tree

WEIGHTS_FILE: Final = "kinds.json"
ARTICLE: Final = "article"


@dataclass(frozen=True, slots=True)
class KindModel:
    """The trees of every kind, and each kind's score before any tree."""

    base: Mapping[str, float]
    trees: Mapping[str, Sequence[Tree]]

    def probabilities(self, row: Sequence[float]) -> dict[str, float]:
        """Returns the probability of every kind for a row of `KIND_FEATURES`. They add up to 1."""
        scores = {kind: self.base[kind] + sum(tree.score(row) for tree in trees) for kind, trees in self.trees.items()}
        highest = max(scores.values())
        powers = {kind: exp(score - highest) for kind, score in scores.items()}
        total = sum(powers.values())
        return {kind: power / total for kind, power in powers.items()}


@cache
def load() -> KindModel:
    """Returns the model in the package; it is read once a process."""
    return unpack((files("newscrawl.article.page_kinds") / WEIGHTS_FILE).read_text(encoding="ascii"))


def unpack(text: str) -> KindModel:
    """Returns a model from the text of its file. Raises ValueError if it was trained with other features."""
    stored = json.loads(text)
    if tuple(stored["features"]) != KIND_FEATURES:
        raise ValueError(f"{WEIGHTS_FILE} has other features than this version: train it again")
    trees = {kind: tuple(Tree(*lists) for lists in stored["trees"][kind]) for kind in stored["trees"]}
    return KindModel(stored["base"], trees)


def pack(model: KindModel) -> str:
    """Returns the text of a model's file, a tree a line. Equal models give equal texts."""
    lines = [
        f"{json.dumps(kind)}: [\n" + ",\n".join(json.dumps(t.lists(), separators=(",", ":")) for t in trees) + "\n]"
        for kind, trees in model.trees.items()
    ]
    head = f'{{"features": {json.dumps(KIND_FEATURES)},\n"base": {json.dumps(dict(model.base))},\n"trees": {{\n'
    return head + ",\n".join(lines) + "\n}}\n"
