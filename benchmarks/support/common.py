"""The command lines of the benchmarks: where the corpora are, the options that they share, errors in one line, and
tables in documents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import click

from newscrawl.bench.documents import command_line, replace_section
from newscrawl.bench.parallel import in_parallel, with_progress
from newscrawl.errors import CorpusError, NewscrawlError

__all__ = [
    "SHARED",
    "Benchmark",
    "command",
    "in_parallel",
    "json_option",
    "processes_option",
    "replace_section",
    "require_shared",
    "sample_option",
    "shared_option",
    "with_progress",
    "write_or_print",
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


def require_shared(shared: Path) -> Path:
    """`shared` if it holds corpora; raises CorpusError if not."""
    if not (shared / "corpora").is_dir():
        raise CorpusError(f"no corpora in {shared}: give --shared a folder that holds corpora/ and oracle/")
    return shared


class Benchmark(click.Command):
    """A command that reports a NewscrawlError in one line with its exit code, as those of `newscrawl` do."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except NewscrawlError as error:
            click.echo(f"{ctx.info_name}: {error}", err=True)
            ctx.exit(error.exit_code)


def command(module: str) -> str:
    """The command line of this run of a benchmark, without options that name a path of this machine."""
    return command_line(f"python -m benchmarks.{module}")


def write_or_print(document: Path | None, section: str, content: str, module: str) -> None:
    """Writes the result of a benchmark into the section of a document, or prints it if there is no document."""
    if document is not None:
        replace_section(document, section, content, command(module))
    else:
        click.echo(content)
