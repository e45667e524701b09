"""Train the model of kinds of pages again.

    python -m benchmarks.train_kinds    # writes the weights; `newscrawl bench verdicts` measures them

Needs scikit-learn (the extra `bench`). The same corpora and version of scikit-learn give the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from benchmarks.support import common
from newscrawl.article.page_kinds.model import WEIGHTS_FILE, pack
from newscrawl.bench.verdicts.fit import fit
from newscrawl.bench.verdicts.pages import TRAIN, read_pages
from newscrawl.bench.verdicts.study import FOLDS
from newscrawl.bench.verdicts.tables import weights
from newscrawl.errors import NewscrawlError

WEIGHTS: Final = Path(__file__).parents[2] / "newscrawl" / "article" / "page_kinds" / WEIGHTS_FILE


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), default=WEIGHTS, help="Weights file.")
@common.processes_option
@common.shared_option
def main(*, output: Path, processes: int, shared: Path) -> None:
    try:
        place = common.require_shared(shared) / "corpora"
        pages = read_pages(place, tuple(TRAIN), FOLDS, processes=processes)
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    teachers = [page for page in pages if page.teaches]
    click.echo(f"{len(teachers)} pages of {len({page.site for page in teachers})} sites for training")
    model = fit(teachers)
    output.write_text(pack(model), encoding="ascii")
    click.echo(f"wrote {output.name}")
    click.echo(weights(model))


if __name__ == "__main__":
    main()
