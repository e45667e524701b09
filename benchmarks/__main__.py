"""Lists the benchmarks: `python -m benchmarks`. `python -m benchmarks.NAME --help` says what each of them does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

FOLDER: Final = Path(__file__).parent
IS_COMMAND: Final = 'if __name__ == "__main__":'
STARTED: Final = frozenset({"child", "server", "world"})
"""Modules that other benchmarks start."""


def commands() -> Iterator[tuple[str, str]]:
    """Yields the name of each benchmark and the first sentence of its docstring, in the order of names."""
    found = {}
    for path in FOLDER.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        place = path.relative_to(FOLDER)
        if IS_COMMAND in source and path.stem not in STARTED and path != Path(__file__):
            name = ".".join(place.with_suffix("").parts).removesuffix(".__main__")
            found[name] = _first_sentence(ast.get_docstring(ast.parse(source)) or "")
    yield from sorted(found.items())


def _first_sentence(docstring: str) -> str:
    """Returns the first sentence of a docstring on one line, without the full stop."""
    return " ".join(docstring.partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def main() -> None:
    """Prints a line for each benchmark."""
    for name, what in commands():
        click.echo(f"python -m benchmarks.{name:24} {what}")


if __name__ == "__main__":
    main()
