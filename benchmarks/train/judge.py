"""Scores of a model on pages from which it has not learned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from benchmarks.train.pages import TRAIN, Prepared
from newscrawl.bench.documents import markdown
from newscrawl.bench.scores import Score, Snippets, count_snippets, score, shingles, summarise, total
from newscrawl.extraction.chain import Chain, Step, resolve, run_chain
from newscrawl.extraction.learned.choose import Model, choose_dragnet, selection_of
from newscrawl.extraction.learned.features import all_features
from newscrawl.extraction.learned.tree import name_weights, weigher
from newscrawl.extraction.render import render
from newscrawl.model import Selection
from newscrawl.page import Page

BY_LANGUAGE: Final = ("daniel", "fundus_tests")
"""Corpora of which every language is shown."""
SYSTEMS: Final = ("classic", "dragnet", "best", "perfect choice")


@dataclass(frozen=True, slots=True)
class Judged:
    """Every system's score on one page."""

    corpus: str
    language: str
    page: str
    scores: tuple[Score | None, ...]
    """In the order of `SYSTEMS`; perfect choice is known for the corpora with labels only."""
    step: str
    """The step of `best` that gave its text."""
    snippets: tuple[Snippets, ...] = ()
    """The same for a page of which only snippets are known."""


def judge(pages: Iterable[Prepared], model: Model) -> Iterator[Judged]:
    """Scores pages with a model that has not learned from their sites."""
    for prepared in pages:
        page, wanted = prepared.page, shingles(prepared.gold.text)
        classic = run_chain(page, resolve("classic"))
        best = run_chain(page, chain_with(model, prepared))
        texts = [classic.text, render(page, choose_dragnet(page, model)), best.text]
        if not prepared.gold.text:
            counts = tuple(count_snippets(prepared.gold.required, prepared.gold.forbidden, text) for text in texts)
            yield Judged(prepared.corpus, "", prepared.gold.id, (), best.extractor, counts)
            continue
        if prepared.labels is not None:
            texts.append(render(page, np.flatnonzero(prepared.labels.target).tolist()))
        scores = tuple(score(wanted, shingles(text)) for text in texts)
        yield Judged(prepared.corpus, prepared.gold.language or "", prepared.gold.id, scores, best.extractor)


def chain_with(model: Model, prepared: Prepared) -> Chain:
    """The chain `best` for one page, with this model in place of the package's and what was looked up already."""
    chain, select = resolve("best"), partial(_select, model, prepared)
    return Chain(chain.name, (Step("learned", select), *chain.steps[1:]), chain.limits, chain.finishes)


def _select(model: Model, prepared: Prepared, page: Page) -> Selection:
    rows = all_features(prepared.base, name_weights(prepared.look.tree, weigher(model.names)))
    return selection_of(page, model.judge_rows(prepared.look, rows))


def table(judged: Sequence[Judged]) -> str:
    """Precision, recall and F1 by corpus and, where asked for, language."""
    groups: dict[str, list[Judged]] = {}
    for page in judged:
        name = page.corpus + (" (cross-validated)" if page.corpus in TRAIN else "")
        groups.setdefault(name, []).append(page)
        if page.corpus in BY_LANGUAGE:
            groups.setdefault(f"{name} {page.language}", []).append(page)
    header = ["corpus", "pages", "fallbacks", *(f"{system} P/R/F1" for system in SYSTEMS)]
    return markdown(header, [_row(name, pages) for name, pages in sorted(groups.items())])


def _row(name: str, pages: Sequence[Judged]) -> list[str]:
    cells = [name, str(len(pages)), str(sum(page.step != "learned" for page in pages))]
    for number in range(len(SYSTEMS)):
        snippets = [page.snippets[number] for page in pages if number < len(page.snippets)]
        if snippets:
            sums = total(snippets)
            cells.append(f"{sums.precision:.3f} {sums.recall:.3f} **{sums.f1:.3f}** of snippets")
            continue
        scores = [s for page in pages if number < len(page.scores) and (s := page.scores[number]) is not None]
        means = summarise(scores)
        cells.append(f"{means.precision:.3f} {means.recall:.3f} **{means.f1:.3f}**" if scores else "")
    return cells
