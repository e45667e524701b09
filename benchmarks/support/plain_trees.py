"""Takes the trees of scikit-learn's histogram boosting out of it as plain lists."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from newscrawl.extraction.confidence.trees import LEAF, Tree

DIGITS: Final = 6
"""Significant digits of thresholds and scores in the file."""


def plain_tree(nodes: Any) -> Tree:
    """Returns the tree of a predictor's table of nodes."""
    leaf = nodes["is_leaf"].astype(bool)
    value = np.where(leaf, nodes["value"], nodes["num_threshold"])
    return Tree(
        np.where(leaf, LEAF, nodes["feature_idx"]).tolist(),
        [float(f"{one:.{DIGITS}g}") for one in value],
        np.where(leaf, 0, nodes["left"]).tolist(),
        np.where(leaf, 0, nodes["right"]).tolist(),
    )
