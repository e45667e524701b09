"""Fits the trees of confidence with scikit-learn, and takes them out of it as plain lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from benchmarks.support.learning import plain_tree
from benchmarks.train_confidence.pages import JudgedText
from newscrawl.extraction.confidence.features import FEATURES, OF_MODEL, OF_SELECTION, UNKNOWN
from newscrawl.extraction.confidence.model import ConfidenceModel

SEED: Final = 20_180_412
TREES: Final = 240
LEAVES: Final = 4
"""Size of the ensemble. Trees of 8 leaves have too low a confidence in the least confident texts of corpora that were
never learned from."""
LEARNING_RATE: Final = 0.04
MEASURES_A_TEST: Final = 0.3
"""Share of the measures, chosen at random, among which a test is searched."""
WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({"wcxb": 0.5})
"""What a text of a corpus counts, if not 1. Half of all texts are of wcxb, and most of its pages are blogs and guides.
At 1, the confidence in the least confident tenth of other corpora is .035 to .039 too low, at .5 .019 to .025."""
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
        learning_rate=LEARNING_RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=20,
        l2_regularization=2.0,
        max_features=MEASURES_A_TEST,
        early_stopping=False,
        random_state=SEED,
    )
    rows, f1 = np.array([text.row for text in texts]), np.array([text.score.f1 for text in texts])
    bare = rows.copy()
    bare[:, HIDDEN] = UNKNOWN
    weight = np.array([WEIGHTS.get(text.corpus, 1.0) for text in texts])
    with threadpool_limits(1):  # sums in one order: the same figures on every machine
        model.fit(
            np.concatenate([rows, bare]),
            np.concatenate([f1, f1]),
            sample_weight=np.concatenate([weight, HIDDEN_WEIGHT * weight]),
        )
    trees = tuple(plain_tree(predictors[0].nodes, DIGITS) for predictors in model._predictors)  # noqa: SLF001
    base = float(model._baseline_prediction.ravel()[0])  # noqa: SLF001
    return ConfidenceModel(float(f"{base:.{DIGITS}g}"), trees)
