"""`newscrawl db upgrade`: bring the database's schema to this version."""

from __future__ import annotations

import click

from newscrawl.cli.project import required_settings
from newscrawl.crawling.services import database_of, store_of
from newscrawl.storage import migrations


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
