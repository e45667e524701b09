"""The help of every command, as a user reads it in a terminal of 100 columns."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner
from golden import FOLDER, check

from newscrawl.cli import main
from newscrawl.cli.main import COMMANDS, Commands

WIDTH = 100
"""Columns: the widest text that the help makes of a wider terminal."""


def help_of(*words: str) -> str:
    """Returns what `newscrawl WORDS --help` prints."""
    done = CliRunner().invoke(main, [*words, "--help"], prog_name="newscrawl", terminal_width=WIDTH)
    assert done.exit_code == 0, done.output
    return done.output


def groups(command: click.Command, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yields a command and those below it that its help shows, in their order, each after its words."""
    yield words, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            below = command.get_command(click.Context(command), name)
            if below is not None and not below.hidden:
                yield from groups(below, *words, name)


@pytest.fixture(autouse=True, scope="module")
def _asked_for_the_first_time() -> None:
    """click keeps the help option that a command was first asked for. Other tests ask outside of `newscrawl`: no -h."""
    for _, command in groups(main):
        command._help_option = None


def test_the_help_of_newscrawl() -> None:
    check("help/newscrawl.txt", help_of())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command(name: str) -> None:
    assert isinstance(main, Commands)
    command = main.get_command(click.Context(main), name)
    assert command is not None
    shown = (f"$ newscrawl {' '.join(words)} --help\n{help_of(*words)}" for words, _ in groups(command, name))
    check(f"help/{name}.txt", "\n".join(shown))


def test_no_help_of_a_former_command_is_stored() -> None:
    assert {path.stem for path in (FOLDER / "help").glob("*.txt")} == {"newscrawl", *COMMANDS}
