"""Generated tables inside hand-written documents: see newscrawl/bench/document.py."""

from pathlib import Path

import click

from newscrawl.bench.document import command_line, replace_section

__all__ = ["command", "replace_section", "write_or_print"]


def command(module: str) -> str:
    """The command line of this run of a benchmark, without options that name a path of this machine."""
    return command_line(f"python -m benchmarks.{module}")


def write_or_print(document: Path | None, section: str, content: str, module: str) -> None:
    """Writes the result of a benchmark into the section of a document, or prints it if there is no document."""
    if document is not None:
        replace_section(document, section, content, command(module))
    else:
        click.echo(content)
