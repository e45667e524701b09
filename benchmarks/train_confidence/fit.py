"""Fits the trees of confidence with scikit-learn, and takes them out of it as plain lists.

They are learned from, and judged on, the texts of `classic` and `best` on all pages, with their F1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from benchmarks.support.common import in_parallel, with_progress
from benchmarks.support.learning import plain_tree
from benchmarks.train.fit import fit_model
from benchmarks.train.judge import chain_with
from benchmarks.train.pages import LIMITS, Prepared, read_pages
from benchmarks.train.pages import TRAIN as BEST_TRAIN
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.scores import Score, score, shingles
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.confidence import FEATURES, OF_MODEL, OF_SELECTION, UNKNOWN, ConfidenceModel, measure
from newscrawl.model import Extraction
from newscrawl.page import Page, parse

TRAIN: Final = ("naeb", "misinfo_crawler", "fundus_tests", "magic_html_article", "wcxb")
"""Corpora with whole texts that may be learned from."""
MEASURED: Final = ("l3s_gn1", "daniel", "utomo_chaos", "xmu_zh_news", "cleanportaleval")
"""Corpora that are judged and never learned from."""
FOLDS: Final = 4
CHAINS: Final = ("classic", "best")
NO_LIMITS: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A chain's text of a page: its measures and its score."""

    corpus: str
    page: str
    chain: str
    row: tuple[float, ...]
    score: Score
    fold: int | None = None
    """The fold of the page's site; None for a corpus that is never learned from."""


def texts_to_learn(corpora: Path, *, processes: int | None = None) -> Iterator[JudgedText]:
    """Yields the texts of `TRAIN`. Those of `best` are by models that never saw the page's site, or the confidence in
    them would be learned from texts that are better than on other sites."""
    pages = read_pages(corpora, tuple(BEST_TRAIN), FOLDS, processes=processes, limits=NO_LIMITS)
    teachers = _teachers(corpora, pages)
    for fold in with_progress(range(FOLDS), FOLDS, "folds"):
        model = fit_model([page for page in teachers if page.fold != fold])
        for prepared in pages:
            if prepared.fold == fold and prepared.corpus in TRAIN:
                found = (
                    run_chain(prepared.page, resolve("classic")),
                    run_chain(prepared.page, chain_with(model, prepared)),
                )
                yield from _judged(prepared.corpus, prepared.gold, prepared.page, found, fold)


def texts_to_judge(corpora: Path, *, processes: int | None = None) -> Iterator[JudgedText]:
    """Yields the texts of `MEASURED`, by the chains of the package."""
    wanted = [(name, page) for name in MEASURED for page in read_corpus(corpora / name).pages]
    for texts in in_parallel(_measured, wanted, label="texts", processes=processes):
        yield from texts


def _measured(item: tuple[str, GoldPage]) -> list[JudgedText]:
    corpus, gold = item
    page = parse(gold.body(), url=gold.url)
    found = [run_chain(page, resolve(name)) for name in CHAINS]
    return list(_judged(corpus, gold, page, found, None))


def _judged(
    corpus: str, gold: GoldPage, page: Page, found: Sequence[Extraction], fold: int | None
) -> Iterator[JudgedText]:
    wanted = shingles(gold.text)
    if not wanted:
        return
    for chain, one in zip(CHAINS, found, strict=True):
        if one.runs:
            yield JudgedText(corpus, gold.id, chain, measure(page, one), score(wanted, shingles(one.text)), fold)


def _teachers(corpora: Path, pages: Sequence[Prepared]) -> list[Prepared]:
    """Returns the pages that `best` is learned from (benchmarks.train)."""
    limited = {
        (name, page.id) for name, limit in LIMITS.items() for page in read_corpus(corpora / name).sample(limit).pages
    }
    return [p for p in pages if p.teaches and (p.corpus not in LIMITS or (p.corpus, p.gold.id) in limited)]


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
