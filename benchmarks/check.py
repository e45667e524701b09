"""All floors at once, for CI: fidelity to the originals, and texts compared with gold texts.

    python -m benchmarks.check                # every page, about two minutes on two idle cores
    python -m benchmarks.check --sample 40    # some pages of each corpus, floors lowered by the error of so few

Exit code 1 and a line for each floor that is missed. Without corpora beside the checkout: says so, exit code 0.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from benchmarks import fidelity
from benchmarks.support import common
from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.scores import Summary
from newscrawl.bench.study import Study, allowance, make_study, missed_floors, read_floors
from newscrawl.errors import NewscrawlError

FLOORS: Final = Path(__file__).with_name("floors.json")
PLAIN: Final = "boilerpipe-article"
"""The recipe that `classic` must be ahead of on each of them."""


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@common.shared_option
@common.sample_option
@common.processes_option
def main(*, shared: Path, sample: int | None, processes: int) -> None:
    if not (shared / "corpora").is_dir():
        click.echo(f"no corpora in {shared}: quality not checked")
        return
    try:
        failures = [
            *check_fidelity(shared, sample, processes),
            *check_justext(shared, sample, processes),
            *check_quality(shared, sample, processes),
        ]
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    for failure in failures:
        click.echo(f"floor missed: {failure}", err=True)
    sys.exit(1 if failures else 0)


def check_fidelity(shared: Path, sample: int | None, processes: int) -> list[str]:
    """Boilerpipe against the original; prints what it measured."""
    failures = []
    floor = fidelity.FLOOR - allowance(sample) / 4  # pages differ less from the original than texts from gold
    for corpus in fidelity.CORPORA:
        found = fidelity.compare_boilerpipe(shared, corpus, sample, processes)
        means = {recipe: found[recipe].mean for recipe in fidelity.FLOOR_RECIPES}
        click.echo("; ".join([corpus, *(f"{recipe} {mean:.4f}" for recipe, mean in means.items())]))
        missed_by = {recipe: mean for recipe, mean in means.items() if mean < floor}
        failures += [
            f"{corpus}: {name} is {mean:.4f} like the original, floor {floor}" for name, mean in missed_by.items()
        ]
    return failures


def check_justext(shared: Path, sample: int | None, processes: int) -> list[str]:
    """jusText against its package; a sample may have one page that differs."""
    failures = []
    for name in fidelity.CORPORA:
        found = fidelity.compare_justext(shared, name, sample, processes)
        click.echo(f"{name}: jusText keeps the package's paragraphs on {found.share:.1%} of {found.pages} pages")
        if found.share < fidelity.JUSTEXT_FLOOR and (sample is None or len(found.differences) > 1):
            failures.append(f"{name}: jusText {found.share:.3f}, floor {fidelity.JUSTEXT_FLOOR}")
    return failures


def check_quality(shared: Path, sample: int | None, processes: int) -> list[str]:
    """The chains that have floors (benchmarks/floors.json) against gold, and `classic` against plain Boilerpipe."""
    floors = read_floors(FLOORS)
    chains = dict.fromkeys(["classic", PLAIN, *(name for _, systems in floors.values() for name in systems)])
    corpora = [read_corpus(shared / "corpora" / name, limit=sample) for name in floors]
    study = make_study(corpora, list(chains), against="classic", thorough=False, processes=processes)
    for corpus in study.corpora:
        for name, result in corpus.results.items():
            click.echo(f"{corpus.name}: {name}: {one_line(result.shingles)}")
    return [*missed_floors(study.corpora, floors, sample=sample), *not_ahead(study, allowance(sample))]


def one_line(summary: Summary) -> str:
    """A summary for a terminal."""
    return (
        f"P {summary.precision:.3f}  R {summary.recall:.3f}  F1 {summary.f1:.3f}  page F1 {summary.mean_f1:.3f}  "
        f"empty {summary.empty}/{summary.pages}"
    )


def not_ahead(study: Study, allowed: float = 0.0) -> list[str]:
    """One line for each corpus on which `classic` is not ahead of plain Boilerpipe."""
    failures = []
    for corpus in study.corpora:
        classic, plain = corpus.results["classic"].shingles, corpus.results[PLAIN].shingles
        if classic.f1 <= plain.f1 - allowed:
            failures.append(
                f"{corpus.name}: classic is not ahead of plain Boilerpipe: {classic.f1:.3f} to {plain.f1:.3f}"
            )
    return failures


if __name__ == "__main__":
    main()
