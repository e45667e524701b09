"""Takes the trees of scikit-learn's histogram boosting out of it as plain lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from newscrawl.extraction.confidence.trees import LEAF, Tree


def plain_tree(nodes: Any, digits: int, *, share: float = 1.0) -> Tree:
    """Returns the tree of a predictor's table of nodes. Thresholds and scores have so many significant digits.

    The scores are multiplied by `share`, the part that the tree has in an average of ensembles.
    """
    leaf = nodes["is_leaf"].astype(bool)
    value = np.where(leaf, nodes["value"] * share, nodes["num_threshold"])
    return Tree(
        np.where(leaf, LEAF, nodes["feature_idx"]).tolist(),
        [float(f"{one:.{digits}g}") for one in value],
        np.where(leaf, 0, nodes["left"]).tolist(),
        np.where(leaf, 0, nodes["right"]).tolist(),
    )
