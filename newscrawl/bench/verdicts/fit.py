"""Fits the model of kinds with scikit-learn: the weights of words, then the trees, both as plain numbers.

The scores of a page's words are features of the trees. A page that taught the words would have better scores than a new
one, so the trees learn from scores of pages whose sites the words were not learned from (Wolpert, "Stacked
generalization", Neural Networks 5, 1992).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from zlib import crc32

import numpy as np

from newscrawl.article.page_kinds.address import ADDRESS_FEATURES
from newscrawl.article.page_kinds.features import KIND_FEATURES
from newscrawl.article.page_kinds.model import ARTICLE, ROW_FEATURES, KindModel, WordWeights
from newscrawl.article.page_kinds.statements import STATED_FEATURES
from newscrawl.article.page_kinds.words import GROUPS
from newscrawl.bench.plain_trees import plain_tree
from newscrawl.bench.verdicts.pages import TRAIN, KindPage

SEEDS: Final = (1, 2, 3)
"""The seeds of the ensembles whose scores are averaged. With the same limits, nine single ensembles lose 6 to 10 of
3,511 articles in cross-validation (mean 7.4), averages of three 5.2 and of nine 5, and all find the same share of the
other pages. Each ensemble takes time on every judged page."""
TREES: Final = 120
LEAVES: Final = 6
"""Size of each ensemble of a kind."""
MAX_WORDS: Final = 500
"""Words of a group that have weights: those with the highest chi-squared statistic over the kinds."""
MIN_PAGES: Final = 8
"""Fewest pages with a word that has a weight."""
STRENGTH: Final = {"names": 0.05, "address": 0.3, "links": 0.05, "English words": 0.05}
"""The inverse strength of the L2 regularization of each group's weights."""
WORD_FOLDS: Final = 4
DIGITS: Final = 5
"""Significant digits of thresholds and scores in the file."""
_ADDRESS: Final = [
    number
    for number, name in enumerate(ROW_FEATURES)
    if name in ADDRESS_FEATURES or (number >= len(KIND_FEATURES) and name.startswith("address"))
]
_STATED: Final = [KIND_FEATURES.index(name) for name in STATED_FEATURES]
_WORDS: Final = list(range(len(KIND_FEATURES), len(ROW_FEATURES)))
HIDDEN: Final = (_ADDRESS, _STATED, [*_ADDRESS, *_STATED, *_WORDS])
"""Features that are 0 in further copies of the articles, as on old pages without declarations and pages without a URL.
Without them 13 of 2,001 articles of corpora that were never learned from were lost, with them 1, and more of the other
pages were found."""


def fit(pages: Sequence[KindPage]) -> KindModel:
    """Returns the model learned from those of `pages` that may teach; the same pages give the same model."""
    import sklearn.ensemble
    import sklearn.linear_model  # noqa: F401 - libraries that are loaded later are not limited
    from threadpoolctl import threadpool_limits

    teachers = [page for page in pages if page.teaches]
    declared = [page for page in pages if page.corpus in TRAIN and page.declared and page.kind == ARTICLE]
    with threadpool_limits(1):  # sums in one order: the same figures on every machine
        words = fit_words(teachers)
        rows = np.hstack([np.array([page.row for page in teachers]), _scores_of_others(teachers)])
        return replace(_fit_trees(teachers, rows, declared), words=words)


def fit_words(pages: Sequence[KindPage]) -> WordWeights:
    """Returns the weights of words of each group for each kind: a multinomial logistic regression over the words that a
    page has, without its intercepts."""
    return {
        group: _weights([page.words[group] for page in pages], [page.kind for page in pages], group) for group in GROUPS
    }


def _weights(words: Sequence[frozenset[str]], kinds: Sequence[str], group: str) -> dict[str, tuple[float, ...]]:
    from sklearn.feature_selection import chi2
    from sklearn.linear_model import LogisticRegression

    pages_with = Counter(word for of_page in words for word in of_page)
    known = sorted(word for word, number in pages_with.items() if number >= MIN_PAGES)
    if not known:
        return {}
    table = _table(words, known)
    strongest = np.argsort(-chi2(table, kinds)[0], kind="stable")[:MAX_WORDS]
    chosen = sorted(known[place] for place in strongest)
    model = LogisticRegression(C=STRENGTH[group], max_iter=500).fit(_table(words, chosen), kinds)
    return {
        word: tuple(float(f"{one:.3g}") for one in weights) for word, weights in zip(chosen, model.coef_.T, strict=True)
    }


def _table(words: Sequence[frozenset[str]], known: Sequence[str]) -> Any:
    """Returns which of the `known` words each page has, as a sparse matrix."""
    from scipy.sparse import csr_matrix

    place = {word: number for number, word in enumerate(known)}
    found = [sorted(place[word] for word in of_page if word in place) for of_page in words]
    ends = np.cumsum([0, *map(len, found)])
    columns = np.array([column for of_page in found for column in of_page], dtype=np.int64)
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(words), len(known)))


def _scores_of_others(pages: Sequence[KindPage]) -> Any:
    """The scores of each page's words, with weights from other sites."""
    folds = [crc32(page.site.encode()) % WORD_FOLDS for page in pages]
    scores = np.zeros((len(pages), len(_WORDS)))
    for fold in sorted(set(folds)):
        model = KindModel({}, {}, fit_words([page for page, own in zip(pages, folds, strict=True) if own != fold]))
        for number, (page, own) in enumerate(zip(pages, folds, strict=True)):
            if own == fold:
                scores[number] = model.scores(page.words)
    return scores


def _fit_trees(pages: Sequence[KindPage], rows: Any, declared: Sequence[KindPage]) -> KindModel:
    """Returns the average of the ensembles of all `SEEDS`, as one model: its trees are those of all ensembles.

    Breiman, "Bagging predictors", Machine Learning 24, 1996; here, the ensembles differ in the features that each node
    tries. The scores of a single one differ most where few pages are learned from: at articles like other pages.
    """
    table, kinds, weights = _examples(pages, rows, declared)
    models = [_ensemble(seed).fit(table, kinds, sample_weight=weights) for seed in SEEDS]
    scores = models[0]._baseline_prediction.ravel()  # noqa: SLF001 - equal for all seeds
    names = [str(kind) for kind in models[0].classes_]
    base = {kind: round(float(score), DIGITS) for kind, score in zip(names, scores, strict=True)}
    trees = {
        kind: tuple(
            plain_tree(predictors[place].nodes, DIGITS, share=1 / len(SEEDS))
            for model in models
            for predictors in model._predictors  # noqa: SLF001
        )
        for place, kind in enumerate(names)
    }
    return KindModel(base, trees, {})


def _ensemble(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=TREES,
        learning_rate=0.1,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=5,
        l2_regularization=1.0,
        max_features=0.3,
        early_stopping=False,
        random_state=seed,
    )


def _examples(pages: Sequence[KindPage], rows: Any, declared: Sequence[KindPage]) -> tuple[Any, Any, Any]:
    """Returns the rows that are learned from, with the kind and weight of each: those of `pages` and their copies
    without some features, and the `declared` articles without words and declarations."""
    kinds = np.array([page.kind for page in pages])
    weight = np.array([TRAIN[page.corpus] for page in pages])
    articles = np.flatnonzero(kinds == ARTICLE)
    every = np.arange(len(pages))
    copies = [(every, []), (every, _WORDS), *((articles, hidden) for hidden in HIDDEN)]
    tables = []
    for chosen, hidden in copies:
        table = rows[chosen].copy()
        table[:, hidden] = 0.0
        tables.append(table)
    of_tables = [kinds[chosen] for chosen, _ in copies]
    weights = [weight[chosen] for chosen, _ in copies]
    if declared:
        table = np.hstack([np.array([page.row for page in declared]), np.zeros((len(declared), len(_WORDS)))])
        table[:, _STATED] = 0.0
        tables.append(table)
        of_tables.append(np.array([ARTICLE] * len(declared)))
        weights.append(np.array([TRAIN[page.corpus] for page in declared]))
    return np.vstack(tables), np.concatenate(of_tables), np.concatenate(weights)
