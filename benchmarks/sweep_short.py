"""Chooses the three limits below which a text is "too short" in the chain `classic`, on news corpora.

    python -m benchmarks.sweep_short

Every extractor of the chain selects its runs on every page once; the grid then runs the chain itself over these
selections, so that its other rules (the page's topic, how much longer a text must be) are those of today. Scores as in
newscrawl.bench.scoring: precision and recall over four-token shingles, means over pages, F1 of the means. "Before" and
"after" are on the pages that fall through for any reason: the text of the first extractor, and the text used.
docs/design.md has what was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Final

import click

from benchmarks.support import common
from benchmarks.support.tables import markdown
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.scoring.scores import Score, score, shingles, summarise
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.chain import Chain, Limits, Step, resolve, run_chain
from newscrawl.extraction.render import render
from newscrawl.page import Page, parse

CORPORA: Final = ("naeb", "misinfo_crawler", "fundus_tests", "magic_html_article", "l3s_gn1")
WORDS: Final = (30, 60, 120)
CHARACTERS: Final = (150, 300, 600)
SHARES: Final = (0.0, 0.2, 1 / 3, 0.5, 0.75, 1.0)
GRID: Final = tuple(Limits(*values) for values in product(WORDS, CHARACTERS, SHARES))


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of the chain for a page under some limits, and whether it continued after its first extractor."""

    score: Score
    fell_through: bool


@dataclass(frozen=True, slots=True)
class Case:
    """The results for a page: with the first extractor alone, and with the chain under all limits of the grid."""

    first: Score
    under: Mapping[Limits, Taken]


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", "corpora", multiple=True, default=CORPORA, show_default=True, help="Corpus to read.")
@common.shared_option
@common.sample_option
@common.processes_option
def main(*, corpora: Sequence[str], shared: Path, sample: int | None, processes: int) -> None:
    try:
        cases = {name: read_cases(shared, name, sample, processes) for name in corpora}
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    click.echo("## The chosen limits by corpus\n")
    click.echo(corpus_table(cases, Limits()))
    click.echo("\n## The grid\n")
    click.echo(grid_table(cases))


def read_cases(shared: Path, name: str, sample: int | None, processes: int) -> list[Case]:
    """Both extractors on every page of a corpus that has a gold text."""
    corpus = read_corpus(common.require_shared(shared) / "corpora" / name, limit=sample)
    pages = [page for page in corpus.pages if page.text.strip()]
    return list(common.in_parallel(read_case, pages, label=name, processes=processes))


def read_case(gold: GoldPage) -> Case:
    """The chain on one page under all limits of the grid."""
    page = parse(gold.body(), url=gold.url)
    wanted = shingles(gold.text)
    steps = selected_once(page, resolve("classic"))
    scores: dict[tuple[int, ...], Score] = {}

    def scored(runs: tuple[int, ...]) -> Score:
        if runs not in scores:
            scores[runs] = score(wanted, shingles(render(page, runs)))
        return scores[runs]

    under: dict[Limits, Taken] = {}
    for limits in GRID:
        extraction = run_chain(page, Chain("classic", steps, limits))
        under[limits] = Taken(scored(extraction.runs), len(extraction.trace) > 1)
    return Case(scored(steps[0].run(page)), under)


def selected_once(page: Page, chain: Chain) -> tuple[Step, ...]:
    """The chain's steps with what they give it of `page` as constants."""

    def constant(step: Step) -> Step:
        runs = chain.select(page, step)
        return Step(step.name, lambda _: runs)

    return tuple(map(constant, chain.steps))


def corpus_table(cases: Mapping[str, Sequence[Case]], limits: Limits) -> str:
    """How the limits work on each corpus: everything, and the pages that fall through."""
    header = [
        "corpus",
        "pages",
        "F1 of the first extractor",
        "chain P",
        "R",
        "F1",
        "mean page F1",
        "empty",
        "fall through",
    ]
    rows = [[name, *_corpus_row(pages, limits)] for name, pages in cases.items()]
    return markdown([*header, "before", "after"], rows)


def _corpus_row(pages: Sequence[Case], limits: Limits) -> list[str]:
    alone, chain = summarise(c.first for c in pages), summarise(c.under[limits].score for c in pages)
    scores = [alone.f1, chain.precision, chain.recall, chain.f1, chain.mean_f1]
    return [str(len(pages)), *map(_three, scores), str(chain.empty), *_fallen_cells(pages, limits)]


def grid_table(cases: Mapping[str, Sequence[Case]]) -> str:
    """One row per combination of limits, the best mean F1 first."""
    header = ["words", "characters", "share", *cases, "mean F1", "mean P", "fall through", "before", "after"]
    rows = sorted((_grid_row(cases, limits) for limits in GRID), key=lambda row: -row[0])
    return markdown(header, [cells for _, cells in rows])


def _grid_row(cases: Mapping[str, Sequence[Case]], limits: Limits) -> tuple[float, list[str]]:
    found = [summarise(case.under[limits].score for case in pages) for pages in cases.values()]
    mean = fmean(summary.f1 for summary in found)
    scores = [*(summary.f1 for summary in found), mean, fmean(summary.precision for summary in found)]
    every = [case for pages in cases.values() for case in pages]
    numbers = [str(limits.min_words), str(limits.min_characters), f"{limits.min_share:.2f}"]
    return mean, [*numbers, *map(_three, scores), *_fallen_cells(every, limits)]


def _fallen_cells(pages: Sequence[Case], limits: Limits) -> list[str]:
    """Returns how many pages use a later extractor, and the F1 of these pages before and after."""
    fallen = [case for case in pages if case.under[limits].fell_through]
    before, after = summarise(c.first for c in fallen), summarise(c.under[limits].score for c in fallen)
    return [f"{len(fallen)} ({len(fallen) / max(1, len(pages)):.1%})", _three(before.f1), _three(after.f1)]


def _three(value: float) -> str:
    return f"{value:.3f}"


if __name__ == "__main__":
    main()
