"""Compare verdicts with the kinds of pages of corpora: articles lost, and other pages found, with intervals.

\b
    python -m benchmarks.train_kinds.verdicts
    python -m benchmarks.train_kinds.verdicts --shipped --shared path/to/folder
    python -m benchmarks.train_kinds.verdicts --markdown docs/explanation/verdicts.md

Every page is judged by a model that never saw its site, by cross-validation over sites. This needs scikit-learn
(`make peers`) and takes some minutes.
"""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.support import common
from benchmarks.support.learning import require_scikit_learn
from benchmarks.train_kinds import study
from benchmarks.train_kinds.study import table
from newscrawl.bench.documents import around_section


@click.command(cls=common.Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--shipped", is_flag=True, help="Use the model in the package, which has learned from some of the pages.")
@click.option("--markdown", "document", type=click.Path(path_type=Path), help="Write the tables into this document.")
@click.option("--section", default="verdicts", show_default=True, help="Name of the section for --markdown.")
@common.processes_option
@common.shared_option
def main(*, shipped: bool, document: Path | None, section: str, processes: int, shared: Path) -> None:
    if document is not None:
        around_section(document, section)
    if not shipped:
        require_scikit_learn(", or use --shipped")
    pages = study.known_pages(common.require_shared(shared) / "corpora", processes=processes)
    judged = study.shipped(pages) if shipped else study.cross_validated(pages, processes=processes)
    common.write_or_print(document, section, table(judged), "train_kinds.verdicts")


if __name__ == "__main__":
    main()
