"""The reference of the command line: usage, purpose and options of every command and sub-command, from their help."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

import click

from docs._scripts.pages import NOTE, text
from newscrawl.cli.main import main

SEVERAL: Final = 2
"""An option that so many commands have with one meaning is explained once."""
SHORT: Final = 200
"""Letters of a command's short help: more than any has."""
DAY_OR_TIME: Final = re.compile(r"\[%Y[^\]]*\]")
"""How click names an option that takes a day or a time."""


def page() -> str:
    """The page docs/reference/commands.md."""
    found = list(contexts(click.Context(main, info_name="newscrawl", **main.context_settings)))
    counts = Counter(option for context in found for option in options(context))
    shared: dict[str, str] = {}
    for (name, meaning), number in counts.most_common():
        if number >= SEVERAL:
            shared.setdefault(name, meaning)
    lines = [
        "# Commands",
        "",
        NOTE,
        "",
        "`newscrawl COMMAND --help` says more about a command and has examples. `scrapy crawl SITE` and `scrapy list`",
        "are Scrapy's own commands with a check of the settings before them.",
        "[Exit codes](../how-to/deploy.md#exit-codes) are the same for all commands. `TIME` is a day or a time, such",
        "as `2026-11-01` or `2026-11-01T06:00:00`.",
        "",
        "Below a command, an option without a sentence has this meaning:",
        "",
        *(_entry(option) for option in shared.items()),
    ]
    for context in found:
        own = options(context)
        lines += [
            "",
            f"## {context.command_path}",
            "",
            f"`{_usage(context)}`: {context.command.get_short_help_str(SHORT)}",
            "",
        ]
        lines += [_entry(option) for option in own if option not in shared.items()]
        if again := [f"`{name}`" for name, meaning in own if shared.get(name) == meaning]:
            lines += [f"- {', '.join(again)}"]
    return text(lines)


def contexts(parent: click.Context) -> Iterator[click.Context]:
    """The command of `parent` and all below it."""
    yield parent
    if isinstance(parent.command, click.Group):
        for name in parent.command.list_commands(parent):
            command = parent.command.get_command(parent, name)
            if command is not None and not command.hidden:
                yield from contexts(click.Context(command, parent=parent, info_name=name))


def options(context: click.Context) -> list[tuple[str, str]]:
    """Name and meaning of each option of a command but `--help`, as its help prints them."""
    given = [option for option in context.command.get_params(context) if isinstance(option, click.Option)]
    records = [option.get_help_record(context) for option in given]
    found = [(DAY_OR_TIME.sub("TIME", record[0]), record[1]) for record in records if record is not None]
    return [(name, " ".join(meaning.split())) for name, meaning in found if "--help" not in name]


def _entry(option: tuple[str, str]) -> str:
    name, meaning = option
    return f"- `{name}`: {meaning}"


def _usage(context: click.Context) -> str:
    pieces = [piece for piece in context.command.collect_usage_pieces(context) if piece != "[OPTIONS]"]
    return " ".join([context.command_path, *pieces])
