"""The pages that the weights are learned from or judged on, with all that does not depend on a fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.support.common import in_parallel
from benchmarks.support.learning import folds_of
from benchmarks.train.labels import Labels, label_page, label_snippets
from benchmarks.train.names import Counts, page_counts
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.scores import shingles
from newscrawl.extraction.learned.features import FEATURES, Matrix, PageFeatures, base_features, look_at
from newscrawl.identity import registrable_domain
from newscrawl.page import Page, parse

TRAIN: Final[Mapping[str, float]] = MappingProxyType(
    {
        "naeb": 1.0,
        "misinfo_crawler": 1.0,
        "fundus_tests": 1.0,
        "magic_html_article": 0.6,
        "wcxb": 0.5,
        "trafilatura_eval": 0.4,
    }
)
"""Corpora that may be learned from, and what a page of each counts: captions are text to magic_html_article, most of
wcxb are blogs and guides, and of trafilatura_eval only the runs that hold a snippet are known."""
LIMITS: Final[Mapping[str, int]] = MappingProxyType({"wcxb": 300})
"""Pages taken of a corpus, so that blogs do not outnumber news."""
SHORT: Final = 2.0
"""Logarithm of words from which every run is learned from."""
LINKED: Final = 0.5
"""Share of linked words from which a run is a pointer."""
SHORT_KEPT: Final = 6
"""Of shorter runs and pointers that are no text one in so many is learned from, and counts for all of them."""
SEED: Final = 20_180_412


@dataclass(slots=True)
class Prepared:
    """One page."""

    corpus: str
    gold: GoldPage
    look: PageFeatures
    base: Matrix
    labels: Labels | None
    site: str
    counts: Counts = field(default_factory=dict)
    fold: int = 0
    rows: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Runs that are learned from."""
    target: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    weight: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))

    @property
    def page(self) -> Page:
        """The parsed page."""
        return self.look.page

    @property
    def teaches(self) -> bool:
        """Whether weights may be learned from it."""
        return self.corpus in TRAIN and self.labels is not None


def read_pages(
    corpora: Path,
    names: Sequence[str],
    folds: int,
    *,
    sample: int | None = None,
    limits: Mapping[str, int] = LIMITS,
    processes: int | None = None,
) -> list[Prepared]:
    """All pages of the corpora with their folds, in a fixed order. `sample` limits the corpora that teach nothing."""
    wanted: list[tuple[str, GoldPage]] = []
    for name in names:
        corpus = read_corpus(corpora / name).sample(limits.get(name, sample if name not in TRAIN else None))
        wanted += [(name, page) for page in corpus.pages if shingles(page.text) or page.required]
    pages = [page for page in in_parallel(prepare, wanted, label="features", processes=processes) if page is not None]
    for page, fold in zip(
        pages,
        folds_of([p.site for p in pages], [p.gold.text or " ".join(p.gold.required) for p in pages], folds),
        strict=True,
    ):
        page.fold = fold
    for number, page in enumerate(pages):
        _choose_rows(page, np.random.default_rng((SEED, number)))
    return pages


def prepare(item: tuple[str, GoldPage]) -> Prepared | None:
    """Parse and label one page; None where it has no text at all."""
    corpus, gold = item
    page = parse(gold.body(), url=gold.url)
    if not page.runs:
        return None
    look = look_at(page)
    labels = _labels(page, gold) if corpus in TRAIN else None
    counts = page_counts(look.tree, labels) if labels else {}
    site = registrable_domain(gold.url or gold.domain or "")
    return Prepared(corpus, gold, look, base_features(look), labels, site, counts)


def _labels(page: Page, gold: GoldPage) -> Labels | None:
    return label_page(page, gold.text) if gold.text else label_snippets(page, gold.required, gold.forbidden)


def _choose_rows(page: Prepared, random: np.random.Generator) -> None:
    if page.labels is None:
        return
    words, linked = (page.base[:, FEATURES.index(name)] for name in ("log_words", "linked_words"))
    short = ((words < SHORT) | (linked > LINKED)) & ~page.labels.target
    kept = ~short | (random.random(len(short)) * SHORT_KEPT < 1)
    page.rows = np.flatnonzero(kept & (page.labels.weight > 0))
    weight = page.labels.weight * np.where(short, SHORT_KEPT, 1) * TRAIN.get(page.corpus, 0.0)
    page.weight = weight[page.rows].astype(np.float32)
    page.target = page.labels.target[page.rows]
