"""Fits the trees of confidence with scikit-learn, and takes them out of it as plain lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from benchmarks.train_confidence.pages import JudgedText
from newscrawl.bench.plain_trees import plain_tree
from newscrawl.extraction.confidence.features import FEATURES, OF_MODEL, OF_SELECTION, UNKNOWN
from newscrawl.extraction.confidence.model import ConfidenceModel

SEED: Final = 20_180_412
TREES: Final = 120
LEAVES: Final = 5
"""Size of the ensemble. With all of 54 measures that were tried, or with 8 leaves, the error on corpora that were never
learned from was the same, and the least confident tenth was up to .07 too low there."""
DIGITS: Final = 6
"""Significant digits of thresholds and scores in the file."""
HIDDEN: Final = [FEATURES.index(name) for name in (*OF_SELECTION, *OF_MODEL)]
"""Features that are unknown in a further copy of each text, as after hints of a site and for other extractors. Without
the copies, the expected F1 of such texts is .08 too low."""
HIDDEN_WEIGHT: Final = 0.3
"""What such a copy counts."""


def fit(texts: Sequence[JudgedText]) -> ConfidenceModel:
    """Returns the model learned from `texts`; the same texts give the same model."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    model = HistGradientBoostingRegressor(
        max_iter=TREES,
        learning_rate=0.08,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=20,
        l2_regularization=2.0,
        max_features=0.5,
        early_stopping=False,
        random_state=SEED,
    )
    rows, f1 = np.array([text.row for text in texts]), np.array([text.score.f1 for text in texts])
    bare = rows.copy()
    bare[:, HIDDEN] = UNKNOWN
    weight = np.repeat([1.0, HIDDEN_WEIGHT], len(texts))
    with threadpool_limits(1):  # sums in one order: the same figures on every machine
        model.fit(np.concatenate([rows, bare]), np.concatenate([f1, f1]), sample_weight=weight)
    trees = tuple(plain_tree(predictors[0].nodes, DIGITS) for predictors in model._predictors)  # noqa: SLF001
    base = float(model._baseline_prediction.ravel()[0])  # noqa: SLF001
    return ConfidenceModel(float(f"{base:.{DIGITS}g}"), trees)
