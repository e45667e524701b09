"""F1 and CPU time of `classic`, `classic-then-best` and `best` in one run.

    python -m benchmarks.train_confidence.chains --markdown FILE

Each page is read by the three chains in turn, in one process. The time is that of parsing a page and extracting its
text. `best` and the trees of confidence were learned from pages of the corpora with a †.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Final

import click

from benchmarks.support import common
from benchmarks.support.common import write_or_print
from benchmarks.train_confidence.pages import MEASURED, TRAIN
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.documents import markdown
from newscrawl.bench.scores import Score, score, shingles, summarise
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.page import parse

CHAINS: Final = ("classic", "classic-then-best", "best")
WARM_UP: Final = 5
"""Pages of each corpus that are read before the measured ones: they load weights, stop words and language models."""


@dataclass(frozen=True, slots=True)
class PageRun:
    """The three chains on one page: scores, CPU seconds, and whether the second one asked the learned extractor."""

    scores: tuple[Score, ...]
    seconds: tuple[float, ...]
    asked: bool


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--markdown", "document", type=click.Path(path_type=Path, exists=True), help="Write into this document.")
@common.sample_option
@common.shared_option
def main(*, document: Path | None, sample: int | None, shared: Path) -> None:
    try:
        folder = common.require_shared(shared) / "corpora"
        measured: dict[str, list[PageRun]] = {}
        for name in (*TRAIN, *MEASURED):
            pages = [page for page in read_corpus(folder / name, limit=sample).pages if shingles(page.text)]
            for page in pages[:WARM_UP]:
                _run(page)
            measured[name] = [_run(page) for page in common.with_progress(pages, len(pages), name)]
        write_or_print(document, "confidence-chain", table(measured), "train_confidence.chains")
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error


def table(measured: dict[str, list[PageRun]]) -> str:
    """Returns a row for each corpus and one for all of them, as Markdown."""
    header = ["corpus", "pages", *(f"F1 {name}" for name in CHAINS), "asked", *(f"CPU {name}" for name in CHAINS[1:])]
    rows = [_row(name + " †" * (name in TRAIN), pages) for name, pages in measured.items()]
    return markdown(header, [*rows, _row("all", [page for pages in measured.values() for page in pages])])


def _row(name: str, pages: Sequence[PageRun]) -> list[str]:
    places = range(len(CHAINS))
    f1 = [summarise([page.scores[place] for page in pages]).mean_f1 for place in places]
    seconds = [sum(page.seconds[place] for page in pages) for place in places]
    ratios = [f"{seconds[place] / seconds[0]:.2f}" for place in places[1:]]
    return [name, str(len(pages)), *(f"{one:.3f}" for one in f1), f"{fmean(p.asked for p in pages):.0%}", *ratios]


def _run(gold: GoldPage) -> PageRun:
    body, wanted = gold.body(), shingles(gold.text)
    scores, seconds, asked = [], [], False
    for name in CHAINS:
        chain = resolve(name)
        began = process_time()
        found = run_chain(parse(body, url=gold.url), chain)
        seconds.append(process_time() - began)
        scores.append(score(wanted, shingles(found.text)))
        asked |= name == "classic-then-best" and any(attempt.extractor == "learned" for attempt in found.trace)
    return PageRun(tuple(scores), tuple(seconds), asked)


if __name__ == "__main__":
    main()
