"""The texts that confidence is learned from or judged on: those of `classic` and `best` on all pages, with their F1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from benchmarks.support.common import in_parallel, with_progress
from benchmarks.train.fit import fit_model
from benchmarks.train.judge import chain_with
from benchmarks.train.pages import LIMITS, Prepared, read_pages
from benchmarks.train.pages import TRAIN as BEST_TRAIN
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.scores import Score, score, shingles
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.confidence.features import measure
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
