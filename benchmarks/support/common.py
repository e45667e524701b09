"""Where the corpora are, and the options that the benchmarks share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from newscrawl.bench.parallel import in_parallel, with_progress
from newscrawl.errors import CorpusError

__all__ = [
    "SHARED",
    "corpus_options",
    "in_parallel",
    "json_option",
    "processes_option",
    "require_shared",
    "sample_option",
    "shared_option",
    "with_progress",
]

SHARED: Final = Path(__file__).resolve().parents[3] / "shared"
"""The folder with corpora/ and oracle/ that may lie beside the checkout."""

shared_option = click.option(
    "--shared",
    type=click.Path(path_type=Path, file_okay=False),
    default=SHARED,
    show_default="../shared beside the checkout",
    help="Folder with corpora/NAME (or NAME.tar.xz) and oracle/NAME.jsonl.xz.",
)
sample_option = click.option(
    "--sample", type=click.IntRange(min=1), help="Pages of each corpus, chosen by a hash of their id (default: all)."
)
json_option = click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the figures to this file as JSON.",
)
processes_option = click.option(
    "--processes", type=click.IntRange(min=1), default=os.cpu_count() or 1, show_default="all cores", help="Workers."
)


def corpus_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a benchmark over corpora: --shared, --sample, --processes, --json."""
    for option in (json_option, processes_option, sample_option, shared_option):  # the first comes last in the help
        command = option(command)
    return command


def require_shared(shared: Path) -> Path:
    """`shared` if it holds corpora; raises CorpusError if not."""
    if not (shared / "corpora").is_dir():
        raise CorpusError(f"no corpora in {shared}: give --shared a folder that holds corpora/ and oracle/")
    return shared
