"""`newscrawl feed SINK`: sends changes to a file, a webhook or a search server."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, get_args

import click

from newscrawl.cli.common.options import SinksCommand
from newscrawl.cli.common.project import check_named_database, database_option, required_config
from newscrawl.cli.common.sites import check_consumer
from newscrawl.cli.common.words import counted, say
from newscrawl.config.derived.stores import reader_of, store_of
from newscrawl.errors import FeedBusy, UsageError
from newscrawl.model import Verdict
from newscrawl.publishing.feed.reader import FeedFilter, FeedReader
from newscrawl.publishing.feed.registry import default_consumer, has_index, open_sink, shown
from newscrawl.publishing.feed.sink import ReindexingSink, SinkOptions, change_schema
from newscrawl.publishing.feed.webhook import MAX_BYTES
from newscrawl.publishing.search.filters import Filters
from newscrawl.publishing.search.matching import matches
from newscrawl.publishing.search.query import Query, parse_query
from newscrawl.reports import ExportedArticle
from newscrawl.storage.feed import consumers

MAX_REFUSED: Final = 20
"""Largest number of refused changes that are listed at the end; the log has all."""
PAUSE: Final = 1.0
"""Seconds between two readings of the feed with --follow."""
MAX_PAUSE: Final = 60.0
"""Seconds, the longest pause after which a sink that cannot take changes is tried again with --follow, unless it asked
for a longer one."""


def print_schema(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    """Prints the JSON schema of a change and ends the command."""
    if asked and not ctx.resilient_parsing:
        click.echo(change_schema(), nl=False)
        ctx.exit()


@click.command(
    cls=SinksCommand,
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
@click.option("--from-start", is_flag=True, help="Send every article again, from the beginning of the feed.")
@click.option("--reindex", is_flag=True, help="Search servers: fill a new index, then move the alias to it.")
@click.option("--resend", is_flag=True, help="Also send the refused changes again.")
@click.option(
    "--max-bytes",
    type=click.IntRange(min=1_000),
    default=MAX_BYTES,
    show_default=True,
    help="Webhooks: maximum size of a body in bytes. A larger change is sent alone.",
)
@click.option(
    "--with",
    "extra",
    multiple=True,
    type=click.Choice(["structure"]),
    help="Also send what the paragraphs of each text are, and its links.",
)
@click.option("--site", multiple=True, help="Only articles that a page of this site shows. Repeat for several.")
@click.option("--lang", multiple=True, help="Only articles in this language, such as de. Repeat for several.")
@click.option(
    "--verdict",
    multiple=True,
    type=click.Choice(get_args(Verdict)),
    help="Only articles with this verdict. Repeat for several.",
)
@click.option("--query", help="Only articles whose title or text matches, as in `newscrawl search`.")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    help="Only articles with this confidence (0 to 1) or more. Those stored without one are left out.",
)
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_schema,
    help="Print the JSON schema of a change and exit.",
)
@click.option("--name", help="Name of the consumer (default: SINK).")
@database_option
def command(
    *,
    sink: str,
    follow: bool,
    from_start: bool,
    reindex: bool,
    resend: bool,
    max_bytes: int,
    extra: tuple[str, ...],
    name: str | None,
    **filters: Any,
) -> None:
    """Send SINK all changes since the last one it received: jsonl:FILE, jsonl:-, webhook:URL, opensearch:URL/ALIAS,
    or NAME:PLACE for a sink of NEWSCRAWL_SINKS or of an installed package.

    The position in the feed is stored for each consumer. Each change is sent at least once and in order, with what
    happened and why. With --site, --lang, --verdict, --query or --min-confidence, SINK gets only the articles that
    match, and `remove` for an article that no longer matches. A change that SINK refuses is stored and listed by
    `newscrawl status`, and the later changes are sent.
    """
    wanted = filter_of(**filters)
    if wanted.text is not None and has_index(sink):
        raise UsageError(
            "an index holds whole stories: leave out --site, --lang, --verdict, --query and --min-confidence, and "
            "search by them"
        )
    consumer = (name or " ".join(filter(None, (default_consumer(sink), wanted.text))))[:200]
    if reindex and not has_index(sink):
        raise UsageError("--reindex is for opensearch: and elasticsearch:; other sinks have no index")
    config = required_config()
    check_named_database(config)
    check_consumer(config, consumer, wanted.sites)
    opened = open_sink(sink, config.feed.sinks, SinkOptions(partial(reader_of, config), max_bytes, reindex))
    count, begun = 0, datetime.now(UTC)
    try:
        with store_of(config) as store:
            with_structure = "structure" in extra
            reader = FeedReader(
                store, opened, consumer, lambda: datetime.now(UTC), wanted=wanted, with_structure=with_structure
            )
            if from_start:
                reader.restart()
            if resend:
                say(f"{counted(reader.send_again(), 'refused change')} put into the feed again", err=True)
            pause = PAUSE
            while True:
                try:
                    while given := reader.step():
                        count, pause = count + given, PAUSE
                    if reindex and isinstance(opened, ReindexingSink):
                        opened.switch()
                    if not follow:
                        break
                    time.sleep(PAUSE)
                except FeedBusy as error:
                    if not follow:
                        raise
                    if pause == PAUSE:
                        say(f"newscrawl: {error}; it is tried again until it succeeds", err=True)
                    pause = min(2 * pause, MAX_PAUSE)
                    time.sleep(max(pause, error.retry_after))
            refused = [change for change in store.run(consumers.refused, consumer).result() if change.at >= begun]
    finally:
        opened.close()
    say(f"{counted(count, 'change')} sent to {shown(sink)}", err=True)
    if refused:
        say(f"{counted(len(refused), 'change was', 'changes were')} refused:", err=True)
        for change in refused[:MAX_REFUSED]:
            say(f"  {change.subject}: {change.reason}", err=True)
        say("`--resend` sends them again", err=True)
        raise SystemExit(1)


def filter_of(
    site: tuple[str, ...],
    lang: tuple[str, ...],
    verdict: tuple[str, ...],
    query: str | None,
    min_confidence: float | None = None,
) -> FeedFilter:
    """Returns the filter of the options. Raises UsageError for a query that nothing matches."""
    if query is None:
        return FeedFilter(site, lang, verdict, min_confidence=min_confidence)
    parsed = parse_query(query)
    if not parsed.wanted:
        raise UsageError(f"--query {query!r} has no word that an article must contain: add one")
    if parsed.filters != Filters():
        raise UsageError(f"--query {query!r}: use --site and --lang in place of site: and lang:, and leave out since:")
    return FeedFilter(site, lang, verdict, query, partial(_says, parsed), min_confidence)


def _says(query: Query, article: ExportedArticle) -> bool:
    return matches(query, (article.title,), article.text, article.language)
