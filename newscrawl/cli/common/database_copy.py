"""The common part of `newscrawl backup` and `newscrawl restore`: the argument FILE, and the database of the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from newscrawl.cli.common.project import required_config
from newscrawl.config.derived.stores import database_of

EXAMPLE_FILE: Final = "/var/backups/newscrawl/2026-11-21.db"


def copy_command(name: str, short_help: str) -> Callable[[Callable[[str, Path], None]], click.Command]:
    """Makes a command of a function of the database's address and the file of the copy (a decorator)."""

    def made(function: Callable[[str, Path], None]) -> click.Command:
        def run(file: Path) -> None:
            function(database_of(required_config()), file)

        run.__doc__ = function.__doc__
        argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
        epilog = f"\b\nExample:\n  newscrawl {name} {EXAMPLE_FILE}"
        return click.command(name=name, short_help=short_help, epilog=epilog)(argument(run))

    return made
