"""The reference of the command line: the help of every command and sub-command, as click prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from docs._scripts.pages import NOTE, text
from newscrawl.cli.main import main

WIDTH: Final = 96
"""Columns of the help texts, whatever terminal they are made on."""


def page() -> str:
    """The page docs/reference/commands.md."""
    lines = [
        "# Commands",
        "",
        NOTE,
        "",
        "Every command takes `--help`. `scrapy crawl SITE` and `scrapy list` are Scrapy's own commands with a check",
        "of the settings before them. [Exit codes](../how-to/deploy.md#exit-codes) are the same for all commands.",
    ]
    # With the options' names of newscrawl: click keeps the help option of a command as it was first made.
    as_run = {**main.context_settings, "max_content_width": WIDTH}
    root = click.Context(main, info_name="newscrawl", terminal_width=WIDTH, **as_run)
    for depth, context in contexts(root):
        lines += ["", f"{'#' * (depth + 2)} {context.command_path}", "", "```text"]
        lines += [line.rstrip() for line in context.command.get_help(context).splitlines()]
        lines += ["```"]
    return text(lines)


def contexts(parent: click.Context, depth: int = 0) -> Iterator[tuple[int, click.Context]]:
    """The command of `parent` and all below it, each with its depth."""
    yield depth, parent
    if isinstance(parent.command, click.Group):
        for name in parent.command.list_commands(parent):
            command = parent.command.get_command(parent, name)
            if command is not None and not command.hidden:
                yield from contexts(click.Context(command, parent=parent, info_name=name), depth + 1)
