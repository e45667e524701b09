"""`newscrawl bench verdicts`: kinds of pages against verdicts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from newscrawl.bench.document import around_section, command_line, replace_section

CORPORA_VARIABLE: Final = "NEWSCRAWL_CORPORA"
BESIDE: Final = Path("../shared/corpora")
"""The default folder of corpora: beside the checkout."""


@click.command(
    name="verdicts",
    short_help="Compare verdicts with the kinds of pages of corpora.",
    epilog="""\b
Examples:
  newscrawl bench verdicts
  newscrawl bench verdicts --shipped --corpora path/to/corpora
  newscrawl bench verdicts --markdown docs/explanation/verdicts.md""",
)
@click.option(
    "--corpora", "folder", type=click.Path(path_type=Path), envvar=CORPORA_VARIABLE, default=BESIDE, show_default=True,
    help=f"Folder with the corpora (also ${CORPORA_VARIABLE}).",
)  # fmt: skip
@click.option("--shipped", is_flag=True, help="Use the model in the package, which has learned from some of the pages.")
@click.option(
    "--markdown",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the tables into a section of this document.",
)
@click.option("--section", default="verdicts", show_default=True, help="Name of the section for --markdown.")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Workers (default: all cores).")
def verdicts(folder: Path, shipped: bool, markdown: Path | None, section: str, jobs: int) -> None:
    """Compare verdicts with the kinds of pages of corpora: articles lost, and other pages found, with intervals.

    Every page is judged by a model that never saw its site, by cross-validation over sites. This needs scikit-learn and
    takes some minutes.
    """
    from newscrawl.bench.learning import require_scikit_learn
    from newscrawl.bench.verdicts import study
    from newscrawl.bench.verdicts.tables import table

    if markdown is not None:
        around_section(markdown, section)
    if not shipped:
        require_scikit_learn(", or use --shipped")
    pages = study.known_pages(folder, processes=jobs)
    tables = table(study.shipped(pages) if shipped else study.cross_validated(pages, processes=jobs))
    if markdown is None:
        click.echo(tables)
    else:
        replace_section(markdown, section, tables, command_line("newscrawl"))
