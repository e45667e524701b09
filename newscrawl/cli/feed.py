"""`newscrawl feed SINK`: sends changes to a file, a webhook or a search server."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from newscrawl.cli.feed_filters import filter_of, filter_options
from newscrawl.cli.feed_search import is_search_server, search_sink, sink_shown
from newscrawl.cli.installed_names import SinksCommand
from newscrawl.cli.project import database_option, named_database, required_config
from newscrawl.cli.saying import say
from newscrawl.cli.words import counted
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import reader_of, store_of
from newscrawl.errors import UsageError
from newscrawl.feed.custom_sinks import installed_sinks, open_sink
from newscrawl.feed.document import change_schema
from newscrawl.feed.exchange import web_address
from newscrawl.feed.jsonl import JsonLines
from newscrawl.feed.opensearch import OpenSearch
from newscrawl.feed.reader import FeedReader
from newscrawl.feed.sink import Sink
from newscrawl.feed.webhook import MAX_BYTES, Webhook, default_consumer
from newscrawl.identity.masking import without_users
from newscrawl.storage.feed import refused_changes

MAX_REFUSED: Final = 20
"""Largest number of refused changes that are listed at the end; the log has all."""
PAUSE: Final = 1.0
"""Seconds between two readings of the feed with --follow."""


def print_schema(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    """Prints the JSON schema of a change and ends the command."""
    if asked and not ctx.resilient_parsing:
        click.echo(change_schema(), nl=False)
        ctx.exit()


@click.command(
    name="feed",
    cls=SinksCommand,
    short_help="Send changes to a file, webhook or search server.",
    epilog="""\b
Examples:
  newscrawl feed jsonl:changes.jsonl
  newscrawl feed jsonl:- --from-start | jq .op
  newscrawl feed jsonl:german.jsonl --lang de --query 'ferry -strike'
  newscrawl feed webhook:https://example.org/hook --follow --name archive
  newscrawl feed webhook:https://example.org/hook --resend    also the refused changes
  newscrawl feed opensearch:http://localhost:9200/news --follow
  newscrawl feed elasticsearch:https://USER:PASSWORD@search.example.org/news --reindex""",
)
@click.argument("sink")
@click.option("--follow", is_flag=True, help="Continue with new changes until stopped.")
@click.option("--from-start", is_flag=True, help="Start over: send every article again.")
@click.option("--reindex", is_flag=True, help="Search servers: fill a new index, then move the alias to it.")
@click.option("--resend", is_flag=True, help="Also send again the changes that were refused and set aside.")
@click.option(
    "--max-bytes",
    type=click.IntRange(min=1_000),
    default=MAX_BYTES,
    show_default=True,
    help="Webhooks: largest body in bytes; a larger change is sent alone.",
)
@filter_options
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_schema,
    help="Print the JSON schema of a change and exit.",
)
@click.option("--name", help="Name of the consumer, whose position in the feed is stored (default: SINK).")
@database_option
def command(
    *,
    sink: str,
    follow: bool,
    from_start: bool,
    reindex: bool,
    resend: bool,
    max_bytes: int,
    name: str | None,
    **filters: Any,
) -> None:
    """Send SINK all changes since the last one it received: jsonl:FILE, jsonl:-, webhook:URL, opensearch:URL/ALIAS,
    or NAME:PLACE for a sink of NEWSCRAWL_SINKS or of an installed package.

    Each change is sent at least once and in order, with what happened and why. With --site, --lang, --verdict or
    --query, SINK gets a part of the articles, and `remove` for one that no longer matches. A change that the receiver
    refuses is set aside and listed by `newscrawl status`; later changes are sent.
    """
    wanted = filter_of(**filters)
    if wanted.text is not None and is_search_server(sink):
        raise UsageError(
            "an index holds whole stories: leave out --site, --lang, --verdict and --query, and search by them"
        )
    consumer = (name or " ".join(filter(None, (consumer_of(sink), wanted.text))))[:200]
    if reindex and not is_search_server(sink):
        raise UsageError("--reindex is for opensearch: and elasticsearch:; other sinks have no index")
    config = required_config()
    if named_database() is not None:
        with reader_of(config):  # a misspelt address is an error here, and no new database
            pass
    opened = sink_of(sink, config, max_bytes=max_bytes, reindex=reindex)
    count, begun = 0, datetime.now(UTC)
    try:
        with store_of(config) as store:
            reader = FeedReader(store, opened, consumer, lambda: datetime.now(UTC), wanted=wanted)
            if from_start:
                reader.restart()
            if resend:
                say(f"{counted(reader.send_again(), 'refused change')} put into the feed again", err=True)
            while True:
                while given := reader.step():
                    count += given
                if reindex and isinstance(opened, OpenSearch):
                    opened.switch()
                if not follow:
                    break
                time.sleep(PAUSE)
            refused = [change for change in store.run(refused_changes.load, consumer).result() if change.at >= begun]
    finally:
        opened.close()
    say(f"{counted(count, 'change')} sent to {sink_shown(sink)}", err=True)
    if refused:
        say(f"{counted(len(refused), 'change was', 'changes were')} refused and set aside:", err=True)
        for change in refused[:MAX_REFUSED]:
            say(f"  {change.subject}: {change.reason}", err=True)
        say("`--resend` sends them again", err=True)
        raise SystemExit(1)


def consumer_of(sink: str) -> str:
    """The default name of a sink's consumer, without user and password. The position in the feed is stored by this
    name, so another name would start from the beginning."""
    kind, _, place = sink.partition(":")
    return default_consumer(place) if kind == "webhook" and web_address(place) else without_users(sink)


def sink_of(text: str, config: Config, *, max_bytes: int = MAX_BYTES, reindex: bool = False) -> Sink:
    """Opens the sink that the argument names. Raises UsageError, or FeedError if it cannot be opened."""
    if is_search_server(text):
        return search_sink(text, config, reindex=reindex)
    kind, _, place = text.partition(":")
    if kind == "jsonl":
        return JsonLines(sys.stdout) if place in {"", "-"} else JsonLines.to_file(Path(place))
    if kind == "webhook":
        return Webhook(place, max_bytes=max_bytes)
    sink = open_sink(kind, place, config.feed.sinks)
    if sink is not None:
        return sink
    own = "".join(f", {name}:PLACE" for name in sorted({*config.feed.sinks, *installed_sinks()}))
    raise UsageError(f"no sink {text!r}: there are jsonl:FILE, jsonl:-, webhook:URL, opensearch:URL/ALIAS{own}")
