"""`newscrawl feed-address`: makes, lists and revokes the secret addresses of feeds that `newscrawl web` serves."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Final

import click

from newscrawl.cli.common.operator_name import operator_name
from newscrawl.cli.common.project import database_option, project_reader, project_store
from newscrawl.cli.common.saying import say
from newscrawl.deliver.feeds import check_scope, scope_of, title_of
from newscrawl.deliver.http import web_address
from newscrawl.errors import UsageError
from newscrawl.feed.document import plain
from newscrawl.storage.feed import feed_addresses

MAX_LISTED: Final = 10_000


@click.group(
    name="feed-address",
    short_help="Make or revoke secret addresses of feeds.",
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
    scope = scope_of(site, language, search)
    if web_address(base) is None:
        raise UsageError(f"--base {base}: give the address of `newscrawl web`, as https://news.example.org")
    with project_reader() as connection:
        check_scope(connection, scope)
    secret = feed_addresses.new_secret()
    with project_store() as store:
        number = store.run(feed_addresses.add, secret, scope, operator_name(), datetime.now(UTC)).result()
    say(f"address {number} of the feed {title_of(scope)!r}; `newscrawl feed-address revoke {number}` ends it", err=True)
    for kind in ("atom", "json"):
        click.echo(f"{base.rstrip('/')}/feed/{secret}.{kind}")


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
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], default=plain, indent=2, ensure_ascii=False))
        return
    for one in found:
        state = f"revoked {one.revoked_at:%Y-%m-%d %H:%M}" if one.revoked_at is not None else "works"
        say(f"{one.id}  {title_of(one.scope)}  made {one.made_at:%Y-%m-%d %H:%M} by {one.made_by}  {state}")
    if not found:
        say("there is no secret address: `newscrawl feed-address new` makes one")


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
        if not store.run(feed_addresses.revoke, number, datetime.now(UTC)).result():
            raise UsageError(f"no address with the number {number} works: `newscrawl feed-address list` lists all")
    say(f"revoked address {number}", err=True)
