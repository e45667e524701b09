"""The pages of README and docs, the blocks of code in them, and whether newscrawl takes a command that stands there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from newscrawl.cli.main import main

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Name of the page and text of every fenced block in `language`."""
    for page in PAGES:
        for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
            if match.group(1) == language:
                yield page.name, match.group(2)


def commands(language: str) -> list[list[str]]:
    """The command lines of all blocks in `language`, comments and prompts removed."""
    lines = [line.removeprefix("$ ") for _, text in blocks(language) for line in text.splitlines()]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def check_command(words: Sequence[str]) -> None:
    """Checks that newscrawl takes these words. Raises click's error if not."""
    command: click.Command = main
    arguments = list(words)
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), arguments.pop(0))
        assert found is not None, words
        command = found
    command.make_context("newscrawl", arguments)
