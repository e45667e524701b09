"""`newscrawl db upgrade`: bring the database's schema to this version."""

from __future__ import annotations

from pathlib import Path

import click

from newscrawl.cli.project import required_settings
from newscrawl.crawling.services import database_of, store_of
from newscrawl.storage import migrations
from newscrawl.storage.backup import back_up


@click.group(name="db")
def command() -> None:
    """Look after the database."""


@command.command(
    epilog="""\b
Example:
  NEWSCRAWL_DATABASE_URL=postgresql://user@host/news newscrawl db upgrade""",
)
def upgrade() -> None:
    """Create the tables, or bring those of an older version up to date. Safe to run again."""
    settings = required_settings()
    before, after = migrations.current_revision(database_of(settings)), migrations.head()
    store_of(settings, upgrade=True).close()
    if before == after:
        click.echo(f"the database's schema is up to date ({after})")
    else:
        click.echo(f"the database's schema went from {before or 'none'} to {after}")


@command.command(
    epilog="""\b
Example:
  newscrawl db backup /var/backups/newscrawl/2026-11-21.db""",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(file: Path) -> None:
    """Copy a SQLite database to FILE, whole and checked, while crawls go on writing.

    To restore it, stop what writes, put FILE in the database's place and remove its -wal and -shm files. For PostgreSQL
    use pg_dump.
    """
    size = back_up(database_of(required_settings()), file)
    click.echo(f"{file}: {size / 1_000_000:.1f} MB, checked")
