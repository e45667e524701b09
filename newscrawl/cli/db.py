"""`newscrawl db upgrade`: bring the database's schema to this version."""

from __future__ import annotations

import click

from newscrawl.cli.project import open_project_store


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
    with open_project_store(upgrade=True):
        click.echo("the database's schema is up to date")
