"""The pages with the lowest scores of a system, with the paragraphs that it lost and those that it should not have
taken.

python -m benchmarks.quality.worst -c naeb                 # the ten worst pages of `classic`
python -m benchmarks.quality.worst -c naeb -s justext -n 3
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import click

from benchmarks.support import common
from newscrawl.bench.corpora import Corpus, GoldPage, read_corpus
from newscrawl.bench.quality.measure import Measured, measure_corpus, read_case
from newscrawl.bench.scoring.scores import Bag, shingles
from newscrawl.bench.systems import system
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.chain import resolve, run_chain

FOUND: Final = 0.5
"""Share of a paragraph's shingles from which it counts as being in the other text."""
PARAGRAPHS: Final = 6
"""Paragraphs shown of each kind, longest first."""
WIDTH: Final = 110


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", required=True, help="Corpus to look at.")
@click.option("-s", "--system", "name", default="classic", show_default=True, help="System to look at.")
@click.option("-n", "--number", default=10, show_default=True, help="Pages to show.")
@common.shared_option
@common.sample_option
@common.processes_option
def main(*, corpus: str, name: str, number: int, shared: Path, sample: int | None, processes: int) -> None:
    try:
        pages = read_corpus(common.require_shared(shared) / "corpora" / corpus, limit=sample)
        measured = measure_corpus(pages, (name,), processes=processes)
        for line in describe(pages, measured, name, number):
            click.echo(line)
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error


def describe(corpus: Corpus, measured: list[Measured], name: str, number: int) -> Iterator[str]:
    """The worst pages, a few lines each."""
    by_id = {page.id: page for page in corpus.pages}
    for page in sorted(measured, key=partial(_f1, name=name))[:number]:
        yield from describe_page(by_id[page.page], page, name)


def describe_page(gold: GoldPage, measured: Measured, name: str) -> Iterator[str]:
    """One page: scores, who extracted it, paragraphs lost and paragraphs too many."""
    score = measured.systems[name].shingles
    case = read_case(gold)
    text = system(name)(case)
    trace = "; ".join(
        f"{a.extractor} {a.words} words: {a.reason}" for a in run_chain(case.page, resolve("classic")).trace
    )
    yield f"\n{gold.id} {gold.url or ''}"
    yield f"  P {score.precision or 0:.2f} R {score.recall:.2f} F1 {score.f1:.2f}; classic: {trace}"
    yield from _paragraphs("lost", gold.text, shingles(text))
    yield from _paragraphs("too many", text, shingles(gold.text))


def _paragraphs(kind: str, text: str, other: Bag) -> Iterator[str]:
    """The longest paragraphs of `text` that are not in the other text."""
    missing = []
    for paragraph in filter(None, map(str.strip, text.split("\n"))):
        bag = shingles(paragraph)
        if bag and (bag & other).total() < FOUND * bag.total():
            missing.append(paragraph)
    missing.sort(key=len, reverse=True)
    yield f"  {kind}: {len(missing)} paragraphs"
    yield from (f"    {len(p):5} {p[:WIDTH]}" for p in missing[:PARAGRAPHS])


def _f1(page: Measured, *, name: str) -> float:
    return page.systems[name].shingles.f1


if __name__ == "__main__":
    main()
