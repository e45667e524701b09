"""Judges the pages of all corpora: by models that never saw their sites, or by the model in the package."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Final

from newscrawl.article.page_kinds.model import KindModel, load
from newscrawl.bench.parallel import in_parallel
from newscrawl.bench.verdicts.fit import fit
from newscrawl.bench.verdicts.limits import Guess, choose_limits
from newscrawl.bench.verdicts.pages import MEASURED, TRAIN, KindPage, read_pages
from newscrawl.bench.verdicts.tables import Judged
from newscrawl.errors import UsageError

FOLDS: Final = 5
Without = frozenset[int]
"""The folds that a model has not learned from."""


def known_pages(corpora: Path, *, processes: int | None = None) -> list[KindPage]:
    """Returns the pages of all corpora that are in the folder. Raises UsageError if one to learn from is missing."""
    there = {path.name.partition(".")[0] for path in corpora.iterdir()} if corpora.is_dir() else set()
    if missing := sorted(set(TRAIN) - there):
        raise UsageError(f"no corpus {missing[0]!r} in {corpora}: name the folder that holds it with --corpora")
    names = [name for name in (*TRAIN, *MEASURED) if name in there]
    return read_pages(corpora, names, FOLDS, processes=processes)


def learned(pages: Sequence[KindPage], *, processes: int | None = None) -> KindModel:
    """Returns the model learned from all pages that teach, with its limits. Fits six models."""
    wanted = [frozenset[int](), *(frozenset({fold}) for fold in range(FOLDS))]
    return _with_limits(_fitted(pages, wanted, processes), pages, wanted[0])


def cross_validated(pages: Sequence[KindPage], *, processes: int | None = None) -> list[Judged]:
    """Returns the verdict on every page by a model and by limits that were learned from other sites.

    This is nested cross-validation: the limits for a fold are chosen on the other folds, each judged by a model that
    learned from neither. A model without two folds serves both of them, so 15 models are fitted (Varma and Simon, "Bias
    in error estimation when using cross-validation for model selection", BMC Bioinformatics 7, 2006).
    """
    wanted = [frozenset(folds) for number in (1, 2) for folds in combinations(range(FOLDS), number)]
    models = _fitted(pages, wanted, processes)
    judged: list[Judged] = []
    for fold in range(FOLDS):
        model = _with_limits(models, pages, frozenset({fold}))
        judged += [Judged.of(page, model) for page in pages if page.fold == fold]
    return judged


def shipped(pages: Sequence[KindPage]) -> list[Judged]:
    """Returns the verdict on every page by the model in the package, which has learned from some of them."""
    model = load()
    return [Judged.of(page, model) for page in pages]


def _fitted(
    pages: Sequence[KindPage], wanted: Collection[Without], processes: int | None
) -> Mapping[Without, KindModel]:
    """Returns a model for each set of folds that it is not to learn from."""
    known = [page for page in pages if page.corpus in TRAIN]
    others = [[page for page in known if page.fold not in without] for without in wanted]
    return dict(zip(wanted, in_parallel(fit, others, label="models", processes=processes), strict=True))


def _with_limits(models: Mapping[Without, KindModel], pages: Sequence[KindPage], without: Without) -> KindModel:
    """Returns the model without these folds, with limits chosen on the pages of all others that may be learned from."""
    known = [page for page in pages if page.corpus in TRAIN and page.fold not in without]
    guesses = [Guess.of(page, models[without | {page.fold}]) for page in known if page.is_decided_by_model]
    return replace(models[without], limits=choose_limits(known, guesses))
