"""Setting the three numbers that make a text "too short" in the chain `classic`, on news corpora.

    python -m benchmarks.sweep_short > docs/sweep-short.md

Every page is extracted once by `boilerpipe-wide+tree2` and once by jusText; the grid then only decides which of the two
the chain would take. Scores as in newscrawl.bench.scoring: precision and recall over four-token shingles, means over
pages, F1 of the means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Final

import click

from benchmarks import common
from benchmarks.tables import markdown
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.scoring import Score, score, shingles, summarise
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.chain import Limits, resolve
from newscrawl.extraction.limits import Size, prose_characters, size_of
from newscrawl.extraction.render import render
from newscrawl.page import parse

CORPORA: Final = ("naeb", "misinfo_crawler", "fundus_tests", "magic_html_article", "l3s_gn1")
WORDS: Final = (30, 60, 120)
CHARACTERS: Final = (150, 300, 600)
SHARES: Final = (0.0, 0.2, 1 / 3, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Extracted:
    """One extractor's result on a page."""

    size: Size
    score: Score


@dataclass(frozen=True, slots=True)
class Case:
    """Both extractors' results on a page, and what its share is taken of."""

    first: Extracted
    second: Extracted
    prose: int

    def falls_through(self, limits: Limits) -> bool:
        """Whether the chain goes on after the first extractor."""
        return bool(self.first.size.shortness(limits) or self.first.size.low_share(self.prose, limits))

    def taken(self, limits: Limits) -> Score:
        """The score of the text that the chain takes."""
        longer = self.second.size.characters > self.first.size.characters
        return self.second.score if longer and self.falls_through(limits) else self.first.score


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
    click.echo("# When a text is too short\n")
    click.echo(_INTRODUCTION)
    click.echo("## The chosen numbers, corpus by corpus\n")
    click.echo(corpus_table(cases, Limits()))
    click.echo("\n## The grid\n")
    click.echo(grid_table(cases))


_INTRODUCTION: Final = """\
`classic` takes the text of `boilerpipe-wide+tree2` unless it has fewer words or characters than these limits, or a
smaller share of the characters in the page's long unlinked runs outside comments; then jusText's text is taken where it
is longer. Written by `python -m benchmarks.sweep_short`. F1 of mean precision and mean recall, four-token shingles.
"Before" and "after" are on exactly the pages that fall through: the first extractor's text, and the one taken.

Kept: 60 words, 300 characters, a third. The share does nearly all the work; words and characters hardly matter between
30 and 120 and between 150 and 600. Above a third the mean F1 stays level up to a half and gains .003 at three quarters,
where three times as many pages fall through and the mean precision drops by .015: the seed paper asks for precision
first. Below a third pages of which only a small part was taken are missed.
"""


def read_cases(shared: Path, name: str, sample: int | None, processes: int) -> list[Case]:
    """Both extractors on every page of a corpus that has a gold text."""
    corpus = read_corpus(common.require_shared(shared) / "corpora" / name, limit=sample)
    pages = [page for page in corpus.pages if page.text.strip()]
    return list(common.in_parallel(read_case, pages, label=name, processes=processes))


def read_case(gold: GoldPage) -> Case:
    """Both extractors on one page."""
    page = parse(gold.body(), url=gold.url)
    wanted = shingles(gold.text)
    results = []
    for step in resolve("classic").steps:
        runs = step.run(page)
        results.append(Extracted(size_of(page, runs), score(wanted, shingles(render(page, runs)))))
    return Case(results[0], results[1], prose_characters(page))


def corpus_table(cases: Mapping[str, Sequence[Case]], limits: Limits) -> str:
    """How the limits work on each corpus: everything, and the pages that fall through."""
    header = ["corpus", "pages", "first alone F1", "chain P", "R", "F1", "mean page F1", "empty", "fall through"]
    rows = [[name, *_corpus_row(pages, limits)] for name, pages in cases.items()]
    return markdown([*header, "before", "after"], rows)


def _corpus_row(pages: Sequence[Case], limits: Limits) -> list[str]:
    alone, chain = summarise(c.first.score for c in pages), summarise(c.taken(limits) for c in pages)
    scores = [alone.f1, chain.precision, chain.recall, chain.f1, chain.mean_f1]
    return [str(len(pages)), *map(_three, scores), str(chain.empty), *_fallen_cells(pages, limits)]


def grid_table(cases: Mapping[str, Sequence[Case]]) -> str:
    """One row per combination of limits, the best mean F1 first."""
    header = ["words", "characters", "share", *cases, "mean F1", "mean P", "fall through", "before", "after"]
    grid = [Limits(*values) for values in product(WORDS, CHARACTERS, SHARES)]
    rows = sorted((_grid_row(cases, limits) for limits in grid), key=lambda row: -row[0])
    return markdown(header, [cells for _, cells in rows])


def _grid_row(cases: Mapping[str, Sequence[Case]], limits: Limits) -> tuple[float, list[str]]:
    found = [summarise(case.taken(limits) for case in pages) for pages in cases.values()]
    mean = fmean(summary.f1 for summary in found)
    scores = [*(summary.f1 for summary in found), mean, fmean(summary.precision for summary in found)]
    every = [case for pages in cases.values() for case in pages]
    numbers = [str(limits.min_words), str(limits.min_characters), f"{limits.min_share:.2f}"]
    return mean, [*numbers, *map(_three, scores), *_fallen_cells(every, limits)]


def _fallen_cells(pages: Sequence[Case], limits: Limits) -> list[str]:
    """How many pages fall through, and F1 on exactly these before and after."""
    fallen = [case for case in pages if case.falls_through(limits)]
    before, after = summarise(c.first.score for c in fallen), summarise(c.taken(limits) for c in fallen)
    return [f"{len(fallen)} ({len(fallen) / max(1, len(pages)):.1%})", _three(before.f1), _three(after.f1)]


def _three(value: float) -> str:
    return f"{value:.3f}"


if __name__ == "__main__":
    main()
