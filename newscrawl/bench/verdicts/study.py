"""Judges the pages of all corpora: by models that never saw their sites, or by the model in the package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from newscrawl.article.page_kinds.model import KindModel, load
from newscrawl.bench.parallel import with_progress
from newscrawl.bench.verdicts.pages import MEASURED, TRAIN, KindPage, read_pages
from newscrawl.bench.verdicts.tables import Judged
from newscrawl.errors import UsageError

FOLDS: Final = 5


def known_pages(corpora: Path, *, processes: int | None = None) -> list[KindPage]:
    """Returns the pages of all corpora that are in the folder. Raises UsageError if one to learn from is missing."""
    there = {path.name.partition(".")[0] for path in corpora.iterdir()} if corpora.is_dir() else set()
    if missing := sorted(set(TRAIN) - there):
        raise UsageError(f"no corpus {missing[0]!r} in {corpora}: name the folder that holds it with --corpora")
    names = [name for name in (*TRAIN, *MEASURED) if name in there]
    return read_pages(corpora, names, FOLDS, processes=processes)


def learner() -> Callable[[Sequence[KindPage]], KindModel]:
    """Returns the function that learns a model from pages. Raises UsageError without scikit-learn."""
    try:
        from newscrawl.bench.verdicts.fit import fit
    except ImportError as error:
        raise UsageError("cross-validation needs scikit-learn: install newscrawl[bench], or use --shipped") from error
    return fit


def cross_validated(pages: Sequence[KindPage]) -> list[Judged]:
    """Returns the verdict on every page by a model that learned from other sites. Raises UsageError without
    scikit-learn."""
    fit = learner()
    judged: list[Judged] = []
    for fold in with_progress(range(FOLDS), FOLDS, "folds"):
        model = fit([page for page in pages if page.teaches and page.fold != fold])
        judged += [Judged.of(page, model) for page in pages if page.fold == fold]
    return judged


def shipped(pages: Sequence[KindPage]) -> list[Judged]:
    """Returns the verdict on every page by the model in the package, which has learned from some of them."""
    model = load()
    return [Judged.of(page, model) for page in pages]
