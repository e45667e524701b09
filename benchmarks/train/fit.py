"""Fits a model: weights of names, the first trees, and second trees over the scores that the first gave to unseen
pages. The trees are those of scikit-learn as plain arrays.

scikit-learn is imported where it is used: without it, commands say so in one line (benchmarks.support.learning).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.train.pages import Counts, Prepared, site_shares, total, weights
from newscrawl.extraction.learned.choose import Linear, Model, Trees, dragnet_features, script_of, second_rows
from newscrawl.extraction.learned.features import Matrix, all_features
from newscrawl.extraction.learned.tree import name_weights, weigher

SEED: Final = 20_180_412
MAX_DEPTH: Final = 6


def fit_trees(
    rows: Matrix, target: NDArray[np.bool_], weight: NDArray[np.float32], *, trees: int, leaves: int = 24
) -> Trees:
    """Fits trees that predict `target`. The same input gives the same trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    model = HistGradientBoostingClassifier(
        max_iter=trees,
        learning_rate=0.15,
        max_leaf_nodes=leaves,
        max_depth=MAX_DEPTH,
        min_samples_leaf=40,
        l2_regularization=2.0,
        max_features=0.3,
        max_bins=127,
        early_stopping=False,
        random_state=SEED,
    )
    used = weight > 0
    with threadpool_limits(1):  # sums in one order: the same figures on every machine
        model.fit(rows[used], target[used], sample_weight=weight[used] / weight[used].mean())
    return export(model)


def fit_linear(rows: Matrix, target: NDArray[np.bool_], weight: NDArray[np.float32]) -> Linear:
    """Fits a logistic regression that predicts `target`."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    mean, scale = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-6)
    model = LogisticRegression(max_iter=500)
    with threadpool_limits(1):
        model.fit((rows - mean) / scale, target, sample_weight=weight / weight.mean())
    return Linear(mean, scale, model.coef_[0].astype(np.float32), float(model.intercept_[0]))


def export(model: Any) -> Trees:
    """The trees of a fitted HistGradientBoostingClassifier."""
    tables = [predictor[0].nodes for predictor in model._predictors]  # noqa: SLF001
    starts = np.cumsum([0, *(len(table) for table in tables)])[:-1]
    numbers = np.concatenate([np.arange(len(table)) + start for table, start in zip(tables, starts, strict=True)])
    nodes = np.concatenate(tables)
    offsets = np.repeat(starts, [len(table) for table in tables])
    leaf = nodes["is_leaf"].astype(bool)
    return Trees(
        roots=starts.astype(np.int32),
        feature=np.where(leaf, 0, nodes["feature_idx"]).astype(np.int32),
        threshold=np.where(leaf, np.float32(0), round_down(nodes["num_threshold"])).astype(np.float32),
        left=np.where(leaf, numbers, nodes["left"] + offsets).astype(np.int32),
        right=np.where(leaf, numbers, nodes["right"] + offsets).astype(np.int32),
        value=np.where(leaf, nodes["value"], 0).astype(np.float32),
        base=float(model._baseline_prediction.ravel()[0]),  # noqa: SLF001
    )


def round_down(thresholds: NDArray[np.float64]) -> NDArray[np.float32]:
    """The largest single-precision numbers not above: single-precision features compare with them as with the given."""
    single = thresholds.astype(np.float32)
    above = single.astype(np.float64) > thresholds
    return np.where(above, np.nextafter(single, np.float32(-np.inf)), single)


FIRST_TREES: Final = 80
SECOND_TREES: Final = 60

Scores = NDArray[np.float32]


def fit_model(pages: Sequence[Prepared]) -> Model:
    """A model from these pages. The second stage learns from first scores of folds that the first had not seen."""
    shares = _shares(pages)
    votes = total(shares.values())
    names = weights(votes)
    rows = [_rows(page, weights(votes, shares[page.site])) for page in pages]
    scores: list[Scores] = [np.zeros(0, dtype=np.float32)] * len(pages)
    for fold in sorted({page.fold for page in pages}):
        first = _fit(pages, rows, [i for i, page in enumerate(pages) if page.fold != fold], FIRST_TREES)
        for i, page in enumerate(pages):
            if page.fold == fold:
                scores[i] = first.probabilities(rows[i])
    everything = range(len(pages))
    first = _fit(pages, rows, everything, FIRST_TREES)
    second = [second_rows(p.look, r, s) for p, r, s in zip(pages, rows, scores, strict=True)]
    scripts = Counter(script_of(page.page) for page in pages)
    second_trees = _fit(pages, second, everything, SECOND_TREES)
    return Model(names, first, second_trees, _dragnet(pages, votes, shares), scripts)


def _shares(pages: Sequence[Prepared]) -> dict[str, Counts]:
    sites: dict[str, list[Counts]] = {}
    for page in pages:
        sites.setdefault(page.site, []).append(page.counts)
    return {site: site_shares(counts) for site, counts in sites.items()}


def _rows(page: Prepared, names: dict[str, float]) -> Matrix:
    return all_features(page.base, name_weights(page.look.tree, weigher(names)))


def _fit(pages: Sequence[Prepared], rows: Sequence[Matrix], chosen: Sequence[int], trees: int) -> Trees:
    table = np.concatenate([rows[i][pages[i].rows] for i in chosen])
    target = np.concatenate([pages[i].target for i in chosen])
    weight = np.concatenate([pages[i].weight for i in chosen])
    return fit_trees(table, target, weight, trees=trees)


def _dragnet(pages: Sequence[Prepared], votes: Counts, shares: dict[str, Counts]) -> Linear:
    tables = [dragnet_features(page.page, weights(votes, shares[page.site]))[page.rows] for page in pages]
    return fit_linear(
        np.concatenate(tables), np.concatenate([p.target for p in pages]), np.concatenate([p.weight for p in pages])
    )
