"""`newscrawl backup`: copies the database during crawls."""

from __future__ import annotations

from pathlib import Path

import click

from newscrawl.cli.project import required_config
from newscrawl.cli.saying import say
from newscrawl.config.derived.stores import database_of
from newscrawl.storage.backup.copies import back_up


@click.command(
    name="backup",
    short_help="Copy the database during crawls.",
    epilog="""\b
Example:
  newscrawl backup /var/backups/newscrawl/2026-11-21.db""",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def command(file: Path) -> None:
    """Make a complete, checked copy of the database in FILE while crawls keep writing. `newscrawl restore` restores it.

    A PostgreSQL database is copied with pg_dump, which must be on the PATH. FILE gets its name when it is complete. The
    raw archive is not in it: copy its folder afterwards.
    """
    size = back_up(database_of(required_config()), file)
    say(f"{file}: {size / 1_000_000:.1f} MB, checked")
