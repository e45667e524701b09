"""`newscrawl backup` and `newscrawl restore`: copies the database during crawls, and fills an empty one from a copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from newscrawl.cli.common.project import required_config
from newscrawl.cli.common.words import say
from newscrawl.config.derived.stores import database_of
from newscrawl.storage import migrations
from newscrawl.storage.backup import copies
from newscrawl.storage.engine.database import parse_url, shown
from newscrawl.storage.feed.standing_searches import CONSUMER

EXAMPLE_FILE: Final = "/var/backups/newscrawl/2026-11-21.db"


def _copy_command(name: str, short_help: str) -> Callable[[Callable[[str, Path], None]], click.Command]:
    """Makes a command of a function of the database's address and the file of the copy (a decorator)."""

    def made(function: Callable[[str, Path], None]) -> click.Command:
        def run(file: Path) -> None:
            function(database_of(required_config()), file)

        run.__doc__ = function.__doc__
        argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
        epilog = f"\b\nExample:\n  newscrawl {name} {EXAMPLE_FILE}"
        return click.command(name=name, short_help=short_help, epilog=epilog)(argument(run))

    return made


@_copy_command("backup", "Copy the database during crawls.")
def backup(url: str, file: Path) -> None:
    """Make a complete, checked copy of the database in FILE while crawls keep writing. `newscrawl restore` restores it.

    The database is a SQLite file: one on a server is copied with pg_dump. The copy has a temporary name until it is
    complete. The raw archive is not in it: copy its folder afterwards.
    """
    size = copies.back_up(url, file)
    say(f"{file}: {size / 1_000_000:.1f} MB, checked")


@_copy_command("restore", "Restore the database from a copy.")
def restore(url: str, file: Path) -> None:
    """Restore FILE, which `newscrawl backup` wrote, to the database of NEWSCRAWL_DATABASE_URL, which must be empty.

    Stop all crawls first, and run the command as the user of the crawls. A database on a server is restored with
    pg_restore. A kill in the middle leaves the database empty. The consumers of the change feed start again from its
    beginning. Delete what they have stored, because new changes and articles may get numbers that were used before.
    """
    consumers = [name for name in copies.restore(url, file) if name != CONSUMER]  # standing searches find a story once
    revision = migrations.current_revision(url)
    old = "" if revision == migrations.HEAD else f", schema {revision}: run `newscrawl db upgrade`"
    say(f"{shown(parse_url(url))}: restored from {file}{old}")
    if consumers:
        say(f"empty these consumers of the change feed, which get everything again: {', '.join(consumers)}")
