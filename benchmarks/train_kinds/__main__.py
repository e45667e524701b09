"""Train the model of kinds of pages again, or measure it by cross-validation over sites.

    python -m benchmarks.train_kinds                     # writes the weights
    python -m benchmarks.train_kinds --cross-validate    # no weights: a table of kinds against verdicts

Needs scikit-learn (the extra `bench`). The same corpora and version of scikit-learn give the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from benchmarks.support import common
from benchmarks.train_kinds.fit import fit
from benchmarks.train_kinds.pages import MEASURED, TRAIN, read_pages
from benchmarks.train_kinds.table import Judged, table, weights
from newscrawl.article.page_kinds.model import WEIGHTS_FILE, pack
from newscrawl.errors import NewscrawlError

FOLDS: Final = 5
WEIGHTS: Final = Path(__file__).parents[2] / "newscrawl" / "article" / "page_kinds" / WEIGHTS_FILE


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--cross-validate", is_flag=True, help="Evaluate by cross-validation over sites and write no weights.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), default=WEIGHTS, help="Weights file.")
@common.processes_option
@common.shared_option
def main(*, cross_validate: bool, output: Path, processes: int, shared: Path) -> None:
    try:
        place = common.require_shared(shared) / "corpora"
        names = (*TRAIN, *(MEASURED if cross_validate else ()))
        pages = read_pages(place, names, FOLDS, processes=processes)
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    teachers = [page for page in pages if page.teaches]
    click.echo(f"{len(teachers)} pages of {len({page.site for page in teachers})} sites for training")
    if cross_validate:
        judged: list[Judged] = []
        for fold in common.with_progress(range(FOLDS), FOLDS, "folds"):
            model = fit([page for page in teachers if page.fold != fold])
            judged += [Judged.of(page, model) for page in pages if page.fold == fold]
        click.echo(table(judged))
        return
    model = fit(teachers)
    output.write_text(pack(model), encoding="ascii")
    click.echo(f"wrote {output.name}")
    click.echo(weights(model))


if __name__ == "__main__":
    main()
