"""`newscrawl backup` and `newscrawl restore`: copies the database during crawls, and fills an empty one from a copy."""

from __future__ import annotations

from pathlib import Path

import click

from newscrawl.cli.common.project import required_config
from newscrawl.cli.common.words import say
from newscrawl.config.derived.stores import database_of
from newscrawl.storage import backup as copies
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import parse_url, shown
from newscrawl.storage.feed.standing_searches import CONSUMER

_copy = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command(epilog="\b\nExample:\n  newscrawl backup /var/backups/newscrawl/2026-11-21.db")
@_copy
def backup(file: Path) -> None:
    """Make a complete, checked copy of the database in FILE while crawls keep writing. `newscrawl restore` restores it.

    The database is a SQLite file: one on a server is copied with pg_dump. The copy has a temporary name until it is
    complete. The raw archive is not in it: copy its folder afterwards.
    """
    size = copies.back_up(database_of(required_config()), file)
    say(f"{file}: {size / 1_000_000:.1f} MB, checked")


@click.command(epilog="\b\nExample:\n  newscrawl restore /var/backups/newscrawl/2026-11-21.db")
@_copy
def restore(file: Path) -> None:
    """Restore FILE, which `newscrawl backup` wrote, to the database of NEWSCRAWL_DATABASE_URL, which must be empty.

    Stop all crawls first, and run the command as the user of the crawls. A database on a server is restored with
    pg_restore. A kill in the middle leaves the database empty. The consumers of the change feed start again from its
    beginning. Delete what they have stored, because new changes and articles may get numbers that were used before.
    """
    url = database_of(required_config())
    consumers = [name for name in copies.restore(url, file) if name != CONSUMER]  # standing searches find a story once
    revision = migrations.current_revision(url)
    old = "" if revision == migrations.HEAD else f", schema {revision}: run `newscrawl db upgrade`"
    say(f"{shown(parse_url(url))}: restored from {file}{old}")
    if consumers:
        say(f"empty these consumers of the change feed, which get everything again: {', '.join(consumers)}")
