"""Train the model of kinds of pages again, with its limits.

    python -m benchmarks.train_kinds                # writes the weights; `.verdicts` measures them
    python -m benchmarks.train_kinds --markdown FILE

Needs scikit-learn (`make peers`). The same corpora and version of scikit-learn give the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from benchmarks.support import common
from benchmarks.support.common import write_or_print
from benchmarks.support.learning import require_scikit_learn
from benchmarks.train_kinds.pages import TRAIN, read_pages
from benchmarks.train_kinds.study import FOLDS, learned, limits, weights
from newscrawl.bench.documents import around_section
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.article.page_kinds.judge import WEIGHTS_FILE, pack

WEIGHTS: Final = Path(__file__).parents[2] / "newscrawl" / "extraction" / "article" / "page_kinds" / WEIGHTS_FILE
SECTION: Final = "weights"


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), default=WEIGHTS, help="Weights file.")
@click.option("--markdown", "document", type=click.Path(path_type=Path), help="Write the tables into this document.")
@common.processes_option
@common.shared_option
def main(*, output: Path, document: Path | None, processes: int, shared: Path) -> None:
    try:
        require_scikit_learn()
        if document is not None:
            around_section(document, SECTION)
        place = common.require_shared(shared) / "corpora"
        pages = read_pages(place, tuple(TRAIN), FOLDS, processes=processes)
        model = learned(pages, processes=processes)
        output.write_text(pack(model), encoding="ascii")
        report = f"{limits(model)}\n\n{weights(model)}"
        write_or_print(document, SECTION, report, "train_kinds")
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
