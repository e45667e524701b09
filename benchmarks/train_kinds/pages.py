"""The pages that the model of kinds is learned from or judged on, with their features."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from benchmarks.support.learning import folds_of
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.parallel import in_parallel
from newscrawl.extraction.article.page_kinds.features import kind_features
from newscrawl.extraction.article.page_kinds.judge import is_declared, is_judged, words_of
from newscrawl.extraction.article.signals import Signals
from newscrawl.extraction.article.verdict import MODELLED, judge
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.metadata.read import MetadataReader
from newscrawl.model.identity import registrable_domain
from newscrawl.page import parse

OF_KINDS: Final = "wcxb_kinds"
"""The corpus of pages that are no articles; its gold file states the kind of each."""
TRAIN: Final[Mapping[str, float]] = MappingProxyType(
    {
        "naeb": 1.0,
        "misinfo_crawler": 1.0,
        "fundus_tests": 1.0,
        "magic_html_article": 1.0,
        "wcxb": 1.0,
        OF_KINDS: 1.0,
    }
)
"""Corpora that may be learned from, and what a page of each counts. Those made for dates and snippets are left out:
they hold front pages, shops and forums among their articles."""
MEASURED: Final = ("l3s_gn1", "daniel", "utomo_chaos", "xmu_zh_news")
"""Corpora of articles that are judged and never learned from."""
KINDS: Final[Mapping[str, str]] = MappingProxyType({"collection": "listing"})
"""Kinds of the corpus that have another name here."""
FETCHED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class KindPage:
    """A page with its features, its true kind and the verdict of the rules."""

    corpus: str
    id: str
    kind: str
    site: str
    text: str
    row: tuple[float, ...]
    """The values of KIND_FEATURES."""
    words: Mapping[str, frozenset[str]]
    judged: bool
    """Whether the model is asked about it when the rules accept it."""
    declared: bool
    """Whether structured data declares an article."""
    rules: str
    """The verdict without the model."""
    language: str
    fold: int = 0

    @property
    def teaches(self) -> bool:
        """Whether the model may be learned from it. It is never asked about declared articles."""
        return self.corpus in TRAIN and not self.declared

    @property
    def is_decided_by_model(self) -> bool:
        """Whether the model decides its verdict."""
        return self.judged and self.rules in MODELLED


def read_pages(corpora: Path, names: Sequence[str], folds: int, *, processes: int | None = None) -> list[KindPage]:
    """Returns all pages of the corpora in a fixed order, with their folds: no site and no copy is in two folds."""
    wanted: list[tuple[str, GoldPage, str]] = []
    for name in names:
        corpus = read_corpus(corpora / name)
        kinds = _kinds(corpus.pages[0].path.parents[1]) if name == OF_KINDS else {}
        wanted += [(name, page, kinds.get(page.id, "article")) for page in corpus.pages]
    pages = list(in_parallel(prepare, wanted, label="features", processes=processes))
    numbers = folds_of([page.site for page in pages], [page.text for page in pages], folds)
    return [replace(page, fold=fold) for page, fold in zip(pages, numbers, strict=True)]


def prepare(item: tuple[str, GoldPage, str]) -> KindPage:
    """Parses and measures one page."""
    corpus, gold, kind = item
    page = parse(gold.body(), url=gold.url)
    extraction = run_chain(page, resolve("classic", {}, Limits()))
    signals = Signals(page, extraction, MetadataReader(page, fetched_at=FETCHED_AT))
    rules = judge(signals, use_model=False).verdict
    site = registrable_domain(gold.url or gold.domain or "")
    row = tuple(map(float, kind_features(signals)))
    asked, declared, language = is_judged(signals), is_declared(signals), gold.language or ""
    words = words_of(signals)
    return KindPage(corpus, gold.id, kind, site, gold.text, row, words, asked, declared, rules, language)


def _kinds(folder: Path) -> dict[str, str]:
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        stated = {row["id"]: row["extra"]["page_type"] for row in map(json.loads, lines)}
    return {name: KINDS.get(kind, kind) for name, kind in stated.items()}
