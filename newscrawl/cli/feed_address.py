"""`newscrawl feed-address`: makes, lists and revokes the secret addresses of feeds that `newscrawl web` serves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

import click

from newscrawl.actions.choices import DATABASE_ALONE, AddressChoice, FeedChoice, Means
from newscrawl.actions.pages import MAKE, REVOKE
from newscrawl.cli.common.project import database_option, project_reader, project_store
from newscrawl.cli.common.show import show
from newscrawl.cli.common.words import operator_name, say
from newscrawl.errors import UsageError
from newscrawl.publishing.deliver.feeds import scope_of, title_of
from newscrawl.publishing.deliver.http import web_address
from newscrawl.storage.feed import feed_addresses
from newscrawl.storage.feed.feed_addresses import FeedAddress

MAX_LISTED: Final = 10_000


@click.group(
    epilog="""\b
Examples:
  newscrawl feed-address new --site demo
  newscrawl feed-address list
  newscrawl feed-address revoke 3""",
)
def command() -> None:
    """Make, list or revoke secret addresses of feeds, for feed readers that cannot log in.

    `newscrawl web` serves them as Atom and JSON Feed: titles and summaries, never whole texts.
    """


@command.command(
    name="new",
    short_help="Make a secret address.",
    epilog="""\b
Examples:
  newscrawl feed-address new
  newscrawl feed-address new --language de --base https://news.example.org""",
)
@click.option("--site", help="Only articles of this site.")
@click.option("--language", help="Only articles in this language, as de; it includes de-AT.")
@click.option("--search", metavar="NAME", help="The hits of this standing search (`newscrawl search --saved`).")
@click.option("--base", default="http://127.0.0.1:8787", show_default=True, help="The address of `newscrawl web`.")
@database_option
def new(*, site: str | None, language: str | None, search: str | None, base: str) -> None:
    """Make the secret address of a feed of everything, a site, a language or a standing search, and print it. It is not
    shown again: the database has only its hash."""
    choice = FeedChoice(site, language, search)
    if web_address(base) is None:
        raise UsageError(f"--base {base}: give the address of `newscrawl web`, as https://news.example.org")
    with project_reader() as connection:
        MAKE.plan(connection, choice)
    with project_store() as store:
        done = MAKE.act(store, choice, Means(feeds=f"{base.rstrip('/')}/feed/"), operator_name(), datetime.now(UTC))
    title, number = title_of(scope_of(site, language, search)), done.found
    say(f"address {number} of the feed {title!r}; `newscrawl feed-address revoke {number}` ends it", err=True)
    for address in done.said[1:]:
        click.echo(address)


@command.command(
    name="list",
    short_help="List the addresses, without their secrets.",
    epilog="""\b
Example:
  newscrawl feed-address list --json""",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@database_option
def list_addresses(*, as_json: bool) -> None:
    """List the secret addresses, the newest first: what each gives, who made it and when, and whether it works."""
    with project_reader() as connection:
        found = feed_addresses.listed(connection, MAX_LISTED)
    show(found, _lines, as_json=as_json, empty="there is no secret address: `newscrawl feed-address new` makes one")


def _lines(found: Sequence[FeedAddress]) -> Iterator[str]:
    for one in found:
        state = f"revoked {one.revoked_at:%Y-%m-%d %H:%M}" if one.revoked_at is not None else "works"
        yield f"{one.id}  {title_of(one.scope)}  made {one.made_at:%Y-%m-%d %H:%M} by {one.made_by}  {state}"


@command.command(
    short_help="End an address.",
    epilog="""\b
Example:
  newscrawl feed-address revoke 3""",
)
@click.argument("number", type=click.IntRange(min=1))
@database_option
def revoke(number: int) -> None:
    """End the secret address with this number. The server then answers as if it had never existed."""
    with project_store() as store:
        if not REVOKE.act(store, AddressChoice(number), DATABASE_ALONE, operator_name(), datetime.now(UTC)).found:
            raise UsageError(f"no address with the number {number} works: `newscrawl feed-address list` lists all")
    say(f"revoked address {number}", err=True)
