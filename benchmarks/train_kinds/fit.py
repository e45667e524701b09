"""Fits the model of kinds with scikit-learn: the weights of words, then the trees, both as plain numbers.

The scores of a page's words are features of the trees. A page that taught the words would have better scores than a new
one, so the trees learn from scores of pages whose sites the words were not learned from (Wolpert, "Stacked
generalization", Neural Networks 5, 1992).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from zlib import crc32

import numpy as np

from benchmarks.support.learning import plain_tree
from benchmarks.train_kinds.pages import TRAIN, KindPage
from newscrawl.extraction.article.page_kinds.features import ADDRESS_FEATURES, KIND_FEATURES, STATED_FEATURES
from newscrawl.extraction.article.page_kinds.judge import ARTICLE, GROUPS, LEARNED, ROW_FEATURES, KindModel, WordWeights

SEEDS: Final = (1, 2)
"""The seeds of the ensembles whose scores are averaged. Each ensemble takes time on every judged page. An average of
three finds no more than one of two: the scores of words, which are averaged with both, depend on no seed."""
TREES: Final = 120
LEAVES: Final = 6
"""Size of each ensemble of a kind."""
MAX_WORDS: Final = 2_000
"""Words of a group that have weights: those with the highest chi-squared statistic over the kinds. By words alone, with
limits that lose ten articles, 500 words of each group find .43 of the services that the model decides, 2,000 find .64,
and all of 41,000 find .63 to .64. Together with the trees and with the limits of the package, 1,000 lose three articles
more of one corpus than 2,000."""
MIN_PAGES: Final = 5
"""Fewest pages with a word that has a weight."""
STRENGTH: Final = 4.0
"""The inverse strength of the L2 regularization of the weights of words."""
WORD_DECIMALS: Final = 2
"""Decimals of the weights of words in the file. The largest are about 1."""
WORD_FOLDS: Final = 4
DIGITS: Final = 5
"""Significant digits of thresholds and scores in the file."""
_STRUCTURE: Final = len(KIND_FEATURES)
_ALL_WORDS: Final = ROW_FEATURES.index(f"all words of {LEARNED[0]}")
"""The first score of all words. The scores of each group are before it."""


def _scores_of(group: str) -> list[int]:
    return [ROW_FEATURES.index(f"{group} of {kind}") for kind in LEARNED]


_ADDRESS: Final = [*map(KIND_FEATURES.index, ADDRESS_FEATURES), *_scores_of("address")]
_STATED: Final = list(map(KIND_FEATURES.index, STATED_FEATURES))
_WORDS: Final = list(range(_STRUCTURE, len(ROW_FEATURES)))
HIDDEN: Final = (_ADDRESS, _STATED, _scores_of("English words"), [*_ADDRESS, *_STATED, *_WORDS])
"""Features that are 0 in further copies of the articles, as on old pages without declarations, pages without a URL and
pages in another language than English. Without them 13 of 2,001 articles of corpora that were never learned from were
lost, with them 1, and more of the other pages were found."""

WordTable = tuple[Sequence[str], Any]
"""The words of a group, and a sparse matrix of ones: a row for each page, a column for each word."""


def fit(pages: Sequence[KindPage]) -> KindModel:
    """Returns the model learned from those of `pages` that may teach; the same pages give the same model."""
    import sklearn.ensemble
    import sklearn.linear_model  # noqa: F401 - libraries that are loaded later are not limited
    from threadpoolctl import threadpool_limits

    teachers = [page for page in pages if page.teaches]
    declared = [page for page in pages if page.corpus in TRAIN and page.declared and page.kind == ARTICLE]
    with threadpool_limits(1):  # sums in one order: the same figures on every machine
        tables, kinds = word_tables(teachers), np.array([page.kind for page in teachers])
        words = fit_words(tables, np.arange(len(teachers)), kinds)
        rows = np.hstack([np.array([page.row for page in teachers]), _scores_of_others(teachers, tables, kinds)])
        return replace(_fit_trees(teachers, rows, declared), words=words)


def fit_words(tables: Mapping[str, WordTable], pages: Any, kinds: Any) -> WordWeights:
    """Returns the weights of words for each kind, learned from the rows `pages` of the tables: a multinomial logistic
    regression over all groups, without its intercepts. The vector of a page's words in a group has the length 1."""
    from scipy.sparse import hstack
    from sklearn.linear_model import LogisticRegression

    names: list[tuple[str, str]] = []
    columns = []
    for group, (known, table) in tables.items():
        chosen = _strongest(table[pages], kinds)
        names += [(group, known[place]) for place in chosen]
        columns.append(_unit_rows(table[pages][:, chosen]))
    model = LogisticRegression(C=STRENGTH, max_iter=300).fit(hstack(columns, "csr"), kinds)
    weights: dict[str, dict[str, tuple[float, ...]]] = {group: {} for group in GROUPS}
    for (group, word), of_kinds in zip(names, model.coef_.T, strict=True):
        weights[group][word] = tuple(round(float(weight), WORD_DECIMALS) for weight in of_kinds)
    return weights


def word_tables(pages: Sequence[KindPage]) -> dict[str, WordTable]:
    """Returns for each group its words that enough pages have, and which of them each page has."""
    tables: dict[str, WordTable] = {}
    for group in GROUPS:
        words = [page.words[group] for page in pages]
        pages_with = Counter(word for of_page in words for word in of_page)
        known = sorted(word for word, number in pages_with.items() if number >= MIN_PAGES)
        tables[group] = (known, _table(words, known))
    return tables


def _table(words: Sequence[frozenset[str]], known: Sequence[str]) -> Any:
    """Returns which of the `known` words each page has, as a sparse matrix."""
    from scipy.sparse import csr_matrix

    place = {word: number for number, word in enumerate(known)}
    found = [sorted(place[word] for word in of_page if word in place) for of_page in words]
    ends = np.cumsum([0, *map(len, found)])
    columns = np.array([column for of_page in found for column in of_page], dtype=np.int64)
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(words), len(known)))


def _strongest(table: Any, kinds: Any) -> Any:
    """Returns the columns of the words with the highest statistic, in ascending order, of those that enough pages
    have."""
    from sklearn.feature_selection import chi2

    known = np.flatnonzero(np.asarray(table.sum(axis=0)).ravel() >= MIN_PAGES)
    if not len(known):
        return known
    strongest = np.argsort(-chi2(table[:, known], kinds)[0], kind="stable")[:MAX_WORDS]
    return np.sort(known[strongest])


def _unit_rows(table: Any) -> Any:
    """Returns the table of ones with each row divided by its length."""
    lengths = np.sqrt(np.maximum(np.asarray(table.sum(axis=1)).ravel(), 1.0))
    return table.multiply(1.0 / lengths[:, None])


def _scores_of_others(pages: Sequence[KindPage], tables: Mapping[str, WordTable], kinds: Any) -> Any:
    """The scores of each page's words, with weights from other sites."""
    folds = np.array([crc32(page.site.encode()) % WORD_FOLDS for page in pages])
    scores = np.zeros((len(pages), len(_WORDS)))
    for fold in sorted(set(folds.tolist())):
        others = np.flatnonzero(folds != fold)
        model = KindModel({}, {}, fit_words(tables, others, kinds[others]))
        for number in np.flatnonzero(folds == fold).tolist():
            scores[number] = model.scores(pages[number].words)
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
        of_groups = table[:, _STRUCTURE:_ALL_WORDS].reshape(len(table), len(GROUPS), len(LEARNED))
        table[:, _ALL_WORDS:] = of_groups.sum(axis=1)
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
