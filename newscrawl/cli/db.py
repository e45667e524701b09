"""`newscrawl db`: upgrades and prunes the database, and lists the consumers of its changes."""

from __future__ import annotations

import click

from newscrawl.cli import db_prune
from newscrawl.cli.common.project import database_option, project_reader, required_config
from newscrawl.cli.common.saying import say
from newscrawl.cli.common.words import counted
from newscrawl.config.derived.stores import database_of, store_of
from newscrawl.reports import publishing
from newscrawl.storage import migrations
from newscrawl.storage.feed import consumers


@click.group(
    name="db",
    short_help="Maintain the database.",
    epilog="""\b
Examples:
  newscrawl db upgrade                       after an upgrade of newscrawl
  newscrawl db prune --dry-run
  newscrawl db consumers""",
)
def command() -> None:
    """Maintain the database."""


command.add_command(db_prune.command)


@command.command(
    short_help="Create the tables, or bring them up to date.",
    epilog="""\b
Examples:
  NEWSCRAWL_DATABASE_URL=postgresql://user@host/news newscrawl db upgrade
  newscrawl db upgrade --database postgresql://user@host/news""",
)
@database_option
def upgrade() -> None:
    """Create the tables, or bring those of an older version up to date. Safe to run again."""
    config = required_config()
    before, after = migrations.current_revision(database_of(config)), migrations.HEAD
    store_of(config, upgrade=True).close()
    if before == after:
        say(f"the database's schema is up to date ({after})")
    else:
        say(f"the database's schema was upgraded from {before or 'none'} to {after}")


@command.command(
    "consumers",
    short_help="List the consumers of the change feed.",
    epilog="""\b
Examples:
  newscrawl db consumers
  newscrawl db consumers --drop webhook:https://example.org/hook""",
)
@click.option(
    "--drop", metavar="NAME", help="Remove this consumer. If it reads the feed again, it starts from the beginning."
)
def list_consumers(drop: str | None) -> None:
    """List the consumers of the change feed and how many changes each has not read. Old changes are removed only after
    every consumer has read them."""
    if drop is not None:
        with store_of(required_config()) as store:
            found = store.run(consumers.drop, drop).result()
        say(f"forgot {drop}" if found else f"no consumer {drop!r}")
        raise SystemExit(0 if found else 1)
    with project_reader() as connection:
        known = publishing.consumers(connection)
    if not known:
        say("no consumer yet: `newscrawl feed` creates one")
    for consumer in known:
        read = f"last read {consumer.updated:%Y-%m-%d %H:%M} UTC"
        aside = f", {counted(consumer.refused, 'refused change')}" if consumer.refused else ""
        say(f"{consumer.name}: {counted(consumer.behind, 'change')} behind, {read}{aside}")
