"""All floors at once, for CI: fidelity to the originals, and texts against gold.

    python -m benchmarks.check                # every page, about half a minute on two idle cores
    python -m benchmarks.check --sample 40    # some pages of each corpus, floors lowered by the error of so few

Exit code 1 and a line for each floor that is missed. Without corpora beside the checkout: says so, exit code 0.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Final

import click

from benchmarks import common, fidelity, justext_fidelity, quality
from benchmarks.tables import one_line
from newscrawl.errors import NewscrawlError

PAGE_DEVIATION: Final = 0.2
"""Standard deviation of a page's F1 on the news corpora (measured .17 to .23)."""


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


def allowance(sample: int | None) -> float:
    """What floors are lowered by for a sample: two standard errors of its mean; nothing for all pages."""
    return 2 * PAGE_DEVIATION / math.sqrt(sample) if sample else 0.0


def check_fidelity(shared: Path, sample: int | None, processes: int) -> list[str]:
    """Boilerpipe against the original; prints what it measured."""
    found = {name: fidelity.compare_corpus(shared, name, sample, processes) for name in fidelity.FLOOR_CORPORA}
    for corpus, recipes in found.items():
        click.echo("; ".join([corpus, *(f"{name} {recipes[name].mean:.4f}" for name in fidelity.FLOOR_RECIPES)]))
    return fidelity.missed_floors(found, fidelity.FLOOR - allowance(sample) / 4)  # pages differ less from the original


def check_justext(shared: Path, sample: int | None, processes: int) -> list[str]:
    """jusText against its package; a sample may have one page that differs."""
    failures = []
    for name in justext_fidelity.CORPORA:
        found = justext_fidelity.compare_corpus(shared, name, sample, processes)
        click.echo(f"{name}: jusText keeps the package's paragraphs on {found.share:.1%} of {found.pages} pages")
        if found.share < justext_fidelity.FLOOR and (sample is None or len(found.differences) > 1):
            failures.append(f"{name}: jusText {found.share:.3f}, floor {justext_fidelity.FLOOR}")
    return failures


def check_quality(shared: Path, sample: int | None, processes: int) -> list[str]:
    """`classic` against gold and against plain Boilerpipe."""
    measured = quality.measure_all(
        shared, tuple(quality.FLOORS), quality.CHECKED, sample, characters=False, processes=processes
    )
    for corpus, systems in measured.items():
        for name, result in systems.items():
            click.echo(f"{corpus}: {name}: {one_line(result.shingles)}")
    lowered = {
        corpus: {figure: floor - allowance(sample) for figure, floor in limits.items()}
        for corpus, limits in quality.FLOORS.items()
    }
    return quality.missed_floors(measured, lowered, lead=-allowance(sample))


if __name__ == "__main__":
    main()
