"""Train the chain `best` again: weights of names, two stages of trees, and Dragnet's regression.

    python -m benchmarks.train                     # all pages that may be learned from; writes the weights
    python -m benchmarks.train --cross-validate    # no weights: each page judged by a model that never saw its site

Needs scikit-learn (`make peers`). The same corpora, version of scikit-learn and machine give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from benchmarks.support import common
from benchmarks.support.learning import require_scikit_learn
from benchmarks.train.fit import fit_model
from benchmarks.train.judge import Judged, judge, table
from benchmarks.train.pages import TRAIN, read_pages
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.learned.choose import WEIGHTS_FILE, pack

FOLDS: Final = 4
MEASURED: Final = ("l3s_gn1", "daniel", "utomo_chaos", "xmu_zh_news", "cleanportaleval")
"""Corpora that are judged and never learned from."""
WEIGHTS: Final = Path(__file__).parents[2] / "newscrawl" / "extraction" / "learned" / WEIGHTS_FILE


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--cross-validate", is_flag=True, help="Evaluate by cross-validation over sites and write no weights.")
@click.option(
    "-c", "--corpus", "corpora", multiple=True, default=MEASURED, help="Corpus to evaluate on; may be repeated."
)
@click.option(
    "--sample", type=click.IntRange(min=1), help="Pages of each corpus that is only evaluated (default: all)."
)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), default=WEIGHTS, help="Weights file.")
@common.processes_option
@common.shared_option
def main(
    *, cross_validate: bool, corpora: Sequence[str], sample: int | None, output: Path, processes: int, shared: Path
) -> None:
    try:
        require_scikit_learn()
        place = common.require_shared(shared) / "corpora"
        names = (*TRAIN, *(corpora if cross_validate else ()))
        pages = read_pages(place, names, FOLDS, sample=sample, processes=processes)
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    teachers = [page for page in pages if page.teaches]
    click.echo(f"{len(teachers)} pages of {len({page.site for page in teachers})} sites for training")
    if cross_validate:
        judged: list[Judged] = []
        for fold in common.with_progress(range(FOLDS), FOLDS, "folds"):
            model = fit_model([page for page in teachers if page.fold != fold])
            judged += judge([page for page in pages if page.fold == fold], model)
        click.echo(table(judged))
        return
    data = pack(fit_model(teachers))
    output.write_bytes(data)
    click.echo(f"{output}: {len(data)} bytes, blake2b {hashlib.blake2b(data, digest_size=8).hexdigest()}")


if __name__ == "__main__":
    main()
