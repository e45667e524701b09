"""`newscrawl search`: full-text search of the stored articles."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Final

import click
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from newscrawl.cli.common.options import LOCAL_DAY, Moment, by_option, period
from newscrawl.cli.common.project import database_option, required_config
from newscrawl.cli.common.show import progress_bar
from newscrawl.cli.common.sites import check_known
from newscrawl.cli.common.words import say, to_show
from newscrawl.config.derived.stores import database_of, reader_of
from newscrawl.config.logs.console import SafeConsole
from newscrawl.errors import DatabaseUnavailable, IndexBusy, UsageError
from newscrawl.model.jsonable import to_text
from newscrawl.model.times import WEB_BEGAN, local_time
from newscrawl.model.wording import counted
from newscrawl.publishing.search import Filters, SearchHit, query_of, run_query, update_index_of
from newscrawl.publishing.search.filters import combined

_NO_HIT: Final = 1
PAUSE: Final = 5.0
"""Seconds between two updates with --follow."""


@click.command(
    epilog="""\b
Examples:
  newscrawl search harbour ferry
  newscrawl search '"city council" -football' --site demo --since 2026-11-01 --until 2026-11-08
  newscrawl search 'title:ferry OR title:boat lang:en since:3d'
  newscrawl search 'econom*' --lang en --json
  newscrawl search --save ferries 'ferry OR boat' --to mail:desk@example.org --digest 24
  newscrawl search --update --follow""",
)
@click.argument("query", nargs=-1)
@click.option("--save", metavar="NAME", help="Save QUERY as a standing search. It finds what is stored from now on.")
@click.option(
    "--to",
    "places",
    multiple=True,
    metavar="DESTINATION",
    help="With --save: atom:FILE, jsonfeed:FILE, webhook:URL or mail:ADDRESS. Repeat for several.",
)
@click.option(
    "--digest",
    type=click.IntRange(0, 24 * 31),
    default=0,
    metavar="HOURS",
    help="With --save: send at most once in HOURS (default: at once).",
)
@click.option("--saved", "is_list", is_flag=True, help="List the standing searches.")
@click.option("--remove", metavar="NAME", help="Remove a standing search.")
@click.option("--evaluate", "is_evaluation", is_flag=True, help="Evaluate the standing searches once and send.")
@click.option("--update", "is_update", is_flag=True, help="Bring the search index up to date, and search for nothing.")
@click.option("--follow", is_flag=True, help="With --update: continue with new changes until stopped.")
@click.option("--site", help="Only articles of this site.")
@click.option("--since", type=Moment(), help="Only articles of this day (see --by) or later, or of the last 3d or 12h.")
@click.option("--until", type=Moment(), help="Only articles from before this day (see --by).")
@by_option
@click.option("--lang", "language", help="Only articles in this language, such as de.")
@click.option(
    "--limit", type=click.IntRange(1, 1_000), default=10, show_default=True, help="Largest number of stories."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@database_option
def command(
    *,
    query: tuple[str, ...],
    save: str | None,
    places: tuple[str, ...],
    digest: int,
    is_list: bool,
    remove: str | None,
    is_evaluation: bool,
    is_update: bool,
    follow: bool,
    site: str | None,
    since: datetime | None,
    until: datetime | None,
    by: str,
    language: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """Find stories by their words. The best match is first. Each story is shown once, with the number of its copies.

    All words must be in the title or text, in any inflected form: ferries finds ferry. "Words in quotes" must be
    adjacent and as written, a OR b: one of them, -word must not occur, begin* matches all words with this beginning.
    title:word must be in the title; site:, lang: and since: are as the options. Write -- before a query that begins
    with -word. Upper case and accents are ignored. The command updates the index first. Exit code 1 if nothing is
    found.

    --save saves QUERY as a standing search. `newscrawl run` evaluates all of them for each change and sends each story
    once, and later corrections and withdrawals. Without `newscrawl run`, call --evaluate.

    --update --follow keeps the index current for the Search screen of `newscrawl web`, which never writes it.
    """
    if follow and not is_update:
        raise UsageError("--follow belongs to --update")
    if is_update:
        _update(query, is_alone=not (save or remove or is_list or is_evaluation), follow=follow)
        return
    if _is_about_saved(save, remove, is_list=is_list, is_evaluation=is_evaluation, places=places, digest=digest):
        from newscrawl.cli import saved_searches

        filters_given = (site, since, until, language)
        if any(value is not None for value in filters_given):
            raise UsageError("--save: write site: and lang: into the query, and leave out --since and --until")
        if save is not None:
            saved_searches.save(save, " ".join(query), places, digest)
        elif query:
            raise UsageError("--saved, --remove and --evaluate take no QUERY")
        elif remove is not None:
            saved_searches.remove(remove)
        elif is_list:
            saved_searches.show(as_json=as_json)
        else:
            saved_searches.evaluate()
        return
    _search(query, site, period(since, until), by, language, limit, as_json=as_json)


def _update(query: tuple[str, ...], *, is_alone: bool, follow: bool) -> None:
    """Brings the index up to date, with `follow` every `PAUSE` seconds until it is stopped; then it waits while the
    database or the index is not available. Raises UsageError beside a query or another task, StorageError, and
    IndexBusy without `follow`."""
    if query or not is_alone:
        raise UsageError("--update takes no QUERY and no option but --follow and --database")
    url = database_of(required_config())
    is_away = False
    with _bar() as show:
        while True:
            try:
                applied = update_index_of(url, show)
            except (IndexBusy, DatabaseUnavailable) as error:
                if not follow:
                    raise
                if not is_away:
                    say(f"newscrawl: {error}; it is tried again every {PAUSE:.0f} s", err=True)
                is_away = True
            else:
                if is_away or applied or not follow:
                    say(f"{counted(applied, 'change')} put into the search index", err=True)
                is_away = False
            if not follow:
                return
            time.sleep(PAUSE)


def _is_about_saved(
    save: str | None,
    remove: str | None,
    *,
    is_list: bool,
    is_evaluation: bool,
    places: tuple[str, ...],
    digest: int,
) -> bool:
    """Returns whether an option of standing searches is given. Raises UsageError for options that contradict."""
    chosen = (save is not None) + (remove is not None) + is_list + is_evaluation
    if chosen > 1:
        raise UsageError("--save, --saved, --remove, --evaluate: give one of them")
    if save is None and (places or digest):
        raise UsageError("--to and --digest belong to --save NAME QUERY")
    return chosen == 1


def _search(
    query: tuple[str, ...],
    site: str | None,
    between: tuple[datetime | None, datetime | None],
    by: str,
    language: str | None,
    limit: int,
    *,
    as_json: bool,
) -> None:
    asked = query_of(" ".join(query), datetime.now(UTC))
    config = required_config()
    start, end = between
    filters = combined(Filters(site, start, language, by_local_day=by == LOCAL_DAY, until=end), asked.filters)
    with reader_of(config) as connection:
        check_known(connection, [filters.site] if filters.site is not None else [])
    with _bar() as show:
        answered = run_query(database_of(config), asked, filters, limit, show)
    if not answered.is_current:
        click.echo("newscrawl: another process writes the search index, the newest articles may be missing", err=True)
    if asked.cut:
        click.echo("newscrawl: the query is too long, only its first words were used", err=True)
    console = SafeConsole(highlight=False)
    for number, hit in enumerate(answered.hits, 1):
        if as_json:
            click.echo(_as_json(hit))
        else:
            console.print(Text("\n").join(_lines(number, hit, by_local_day=filters.by_local_day)), soft_wrap=True)
    if not answered.hits:
        click.echo("nothing found", err=True)
        raise SystemExit(_NO_HIT)


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    columns = (TextColumn("updating the search index"), BarColumn(), TimeRemainingColumn())
    with progress_bar(*columns) as progress:
        task = progress.add_task("", visible=False)
        yield lambda done, total: progress.update(task, completed=done, total=total, visible=done < total)


def _as_json(hit: SearchHit) -> str:
    fields = asdict(hit)
    fields["snippet"], fields["marks"] = hit.snippet.text, hit.snippet.marks
    return to_text(fields)


def _lines(number: int, hit: SearchHit, *, by_local_day: bool = False) -> Iterator[Text]:
    copies = f", {hit.copies} {'copy' if hit.copies == 1 else 'copies'} elsewhere" if hit.copies else ""
    if hit.round_ups:
        copies += f", also in {hit.round_ups} {'round-up' if hit.round_ups == 1 else 'round-ups'}"
    moment = hit.published or hit.first_seen
    if by_local_day and hit.published:
        moment = local_time(hit.published, hit.published_offset)
    day = "date unknown" if moment < WEB_BEGAN else f"{moment:%Y-%m-%d}"
    yield Text(f"{number}. {_line(hit.title or 'without a title')}", "bold")
    yield Text(f"   {to_show(hit.url)}")
    yield Text(f"   {day}, {hit.site}, {hit.language or 'language unknown'}{copies}")
    yield Text("   ").append_text(_marked(hit))


def _marked(hit: SearchHit) -> Text:
    """The snippet with its marks."""
    text, place, parts = hit.snippet.text, 0, []
    for start, end in hit.snippet.marks:
        if start >= place:
            parts += [Text(_line(text[place:start])), Text(_line(text[start:end]), "bold yellow")]
            place = end
    return Text().join([*parts, Text(_line(text[place:]))])


def _line(text: str) -> str:
    """The text on one line: each white-space character becomes a blank."""
    return "".join(" " if letter.isspace() else letter for letter in text)
