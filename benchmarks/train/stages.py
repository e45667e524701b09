"""Fits a model: weights of names, the first trees, and second trees over the scores that the first gave to unseen
pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.train.fit import fit_linear, fit_trees
from benchmarks.train.names import Counts, site_shares, total, weights
from benchmarks.train.pages import Prepared
from newscrawl.extraction.learned.dragnet import dragnet_features
from newscrawl.extraction.learned.features import Matrix, all_features
from newscrawl.extraction.learned.model import Linear, Model, second_rows
from newscrawl.extraction.learned.scripts import script_of
from newscrawl.extraction.learned.tree import name_weights
from newscrawl.extraction.learned.trees import Trees

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
    return all_features(page.base, name_weights(page.look.tree, names))


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
