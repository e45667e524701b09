"""How faithful our algorithms are: Boilerpipe against the original's texts, jusText against its package.

    python -m benchmarks.fidelity.boilerpipe             # all corpora that have an oracle
    python -m benchmarks.fidelity.boilerpipe --check     # exit code 1 when a floor is missed

Boilerpipe: mean over pages of the F1 of four-token shingles between our text and the one of the original Java
Boilerpipe (1 where both are empty), pages read as UTF-8 as the original read them. It is not 1 where the original's
HTML parser (NekoHTML) builds another tree than libxml2.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

import click

from benchmarks.support import common
from benchmarks.support.common import command, replace_section
from newscrawl.bench.corpora import GoldPage, read_corpus, read_oracle
from newscrawl.bench.documents import markdown
from newscrawl.bench.scores import shingles, similarity
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.boilerpipe.recipes import select
from newscrawl.extraction.render import render
from newscrawl.page import parse

RECIPES: Final = {
    "article": "boilerpipe-article",
    "default": "boilerpipe-default",
    "article_sentences": "boilerpipe-article-sentences",
    "largest_content": "boilerpipe-largest",
    "canola": "boilerpipe-canola",
    "num_words_rules": "boilerpipe-num-words",
}
"""The oracle's names of the recipes, and ours."""

FLOOR: Final = 0.97
FLOOR_RECIPES: Final = ("boilerpipe-article", "boilerpipe-default")
FLOOR_CORPORA: Final = ("naeb", "l3s_gn1", "misinfo_crawler")
"""What must be faithful, and where (issue 2)."""

Case = tuple[GoldPage, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Fidelity:
    """One recipe on one corpus."""

    mean: float
    same: float
    """Share of pages with exactly the original's shingles."""
    worst: tuple[tuple[float, str], ...]
    """The pages furthest off, worst first."""


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", "corpora", multiple=True, help="Corpus to compare on; may be given several times.")
@click.option("--check", is_flag=True, help="Exit with 1 if a floor is missed.")
@click.option("--worst", default=0, show_default=True, help="Number of the worst pages of each recipe to list.")
@click.option(
    "--markdown", "document", type=click.Path(path_type=Path, exists=True), help="Write the table into this document."
)
@common.corpus_options
def main(
    *,
    corpora: Sequence[str],
    check: bool,
    worst: int,
    document: Path | None,
    shared: Path,
    sample: int | None,
    processes: int,
    json_path: Path | None,
) -> None:
    try:
        names = corpora or oracle_names(shared)
        found = {name: compare_corpus(shared, name, sample, processes) for name in names}
        if document:
            replace_section(document, "fidelity", table(found), command("fidelity"))
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    if not document:
        click.echo(table(found))
    if worst:
        click.echo(worst_pages(found, worst))
    if json_path:
        figures = {
            corpus: {name: {"mean": f.mean, "same": f.same} for name, f in by.items()} for corpus, by in found.items()
        }
        json_path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    failures = missed_floors(found) if check else []
    for failure in failures:
        click.echo(failure, err=True)
    sys.exit(1 if failures else 0)


def oracle_names(shared: Path) -> list[str]:
    """Returns the corpora that have the original's texts."""
    folder = common.require_shared(shared) / "oracle"
    return sorted(path.name.removesuffix(".jsonl.xz") for path in folder.glob("*.jsonl.xz"))


def compare_corpus(shared: Path, name: str, sample: int | None, processes: int) -> dict[str, Fidelity]:
    """Compares every recipe of ours with the original's on one corpus."""
    oracle = read_oracle(shared / "oracle" / f"{name}.jsonl.xz")
    corpus = read_corpus(shared / "corpora" / name, limit=sample)
    cases = [(page, oracle[page.id]) for page in corpus.pages if page.id in oracle]
    rows = list(common.in_parallel(compare_page, cases, label=f"{name}: Boilerpipe", processes=processes))
    return {
        recipe: _fidelity([(row[recipe], page.id) for row, (page, _) in zip(rows, cases, strict=True)])
        for recipe in RECIPES.values()
    }


def compare_page(case: Case) -> dict[str, float]:
    """Similarity of each recipe's text to the original's on one page."""
    gold, texts = case
    page = parse(gold.body(), encoding="utf-8")
    return {
        recipe: similarity(shingles(render(page, select(page, recipe))), shingles(texts[name]))
        for name, recipe in RECIPES.items()
    }


def missed_floors(found: Mapping[str, Mapping[str, Fidelity]], floor: float = FLOOR) -> list[str]:
    """One line for every recipe under the floor."""
    return [
        f"{corpus}: {recipe} is {by[recipe].mean:.4f} like the original, floor {floor}"
        for corpus, by in found.items()
        if corpus in FLOOR_CORPORA
        for recipe in FLOOR_RECIPES
        if by[recipe].mean < floor
    ]


def table(found: Mapping[str, Mapping[str, Fidelity]]) -> str:
    """Mean similarity (share of identical pages), a row a recipe."""
    rows = [
        [f"`{recipe}`", *(f"{by[recipe].mean:.3f} ({by[recipe].same:.0%})" for by in found.values())]
        for recipe in RECIPES.values()
    ]
    return markdown(["mean F1 to the original (same)", *found], rows)


def worst_pages(found: Mapping[str, Mapping[str, Fidelity]], number: int) -> str:
    """Returns the pages with the largest differences, one a line."""
    return "\n".join(
        f"{value:.3f} {corpus} {recipe} {page}"
        for corpus, by in found.items()
        for recipe, fidelity in by.items()
        for value, page in fidelity.worst[:number]
    )


def _fidelity(values: list[tuple[float, str]]) -> Fidelity:
    numbers = [value for value, _ in values]
    return Fidelity(
        fmean(numbers) if numbers else 0.0,
        sum(value == 1 for value in numbers) / max(1, len(numbers)),
        tuple(sorted(values)[:20]),
    )


if __name__ == "__main__":
    main()
