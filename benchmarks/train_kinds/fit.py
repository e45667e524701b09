"""Fitting the trees of kinds with scikit-learn, and taking them out of it as plain lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier  # type: ignore[import-untyped]
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from benchmarks.support.plain_trees import DIGITS, plain_tree
from benchmarks.train_kinds.pages import TRAIN, KindPage
from newscrawl.article.page_kinds.address import ADDRESS_FEATURES
from newscrawl.article.page_kinds.features import KIND_FEATURES, STATED_FEATURES
from newscrawl.article.page_kinds.model import ARTICLE, KindModel

SEED: Final = 20_180_412
TREES: Final = 80
LEAVES: Final = 6
"""Size of the ensemble of each kind. 120 trees of 8 leaves lost as many articles for as many pages found."""
_ADDRESS: Final = [KIND_FEATURES.index(name) for name in ADDRESS_FEATURES]
_STATED: Final = [KIND_FEATURES.index(name) for name in STATED_FEATURES]
HIDDEN: Final = (_ADDRESS, _STATED, [*_ADDRESS, *_STATED])
"""Features that are 0 in further copies of the articles, as on old pages without declarations and pages without a URL.
Without them 13 of 2,001 articles of corpora that were never learned from were lost, with them 1, and more of the other
pages were found."""


def fit(pages: Sequence[KindPage]) -> KindModel:
    """Returns the model learned from `pages`; the same pages give the same model."""
    model = HistGradientBoostingClassifier(
        max_iter=TREES,
        learning_rate=0.12,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=5,
        l2_regularization=1.0,
        max_features=0.3,
        early_stopping=False,
        random_state=SEED,
    )
    articles = [page for page in pages if page.kind == ARTICLE]
    bare = [np.array([page.row for page in articles]) for _ in HIDDEN]
    for rows, hidden in zip(bare, HIDDEN, strict=True):
        rows[:, hidden] = 0.0
    learned = [*pages, *(page for _ in HIDDEN for page in articles)]
    weight = np.array([TRAIN[page.corpus] for page in learned])
    with threadpool_limits(1):  # sums in one order: the same figures on every machine
        rows = np.vstack([np.array([page.row for page in pages]), *bare])
        model.fit(rows, [page.kind for page in learned], sample_weight=weight)
    kinds = [str(kind) for kind in model.classes_]
    scores = model._baseline_prediction.ravel()  # noqa: SLF001
    base = {kind: round(float(score), DIGITS) for kind, score in zip(kinds, scores, strict=True)}
    trees = {
        kind: tuple(plain_tree(predictors[place].nodes) for predictors in model._predictors)  # noqa: SLF001
        for place, kind in enumerate(kinds)
    }
    return KindModel(base, trees)
