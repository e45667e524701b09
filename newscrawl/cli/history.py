"""`newscrawl history URL`: the versions of one page and their differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import click

from newscrawl.cli.common.project import database_option, project_reader
from newscrawl.cli.common.show import print_json
from newscrawl.cli.common.words import overlapping, say, shown_first
from newscrawl.model.jsonable import view
from newscrawl.model.wording import counted
from newscrawl.reports.history import History, history
from newscrawl.reports.views import HISTORY_KEYS


@click.command(
    epilog="""\b
Examples:
  newscrawl history https://example.org/2026/05/story --diff
  newscrawl history https://example.org/2026/05/story --json""",
)
@click.argument("url")
@click.option("--diff", is_flag=True, help="Show the differences: - removed, + added, ~ changed.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the page and its versions with their texts as one JSON object."
)
@database_option
def command(url: str, diff: bool, as_json: bool) -> None:
    """Show every version of URL: when it was seen and the kind of change.

    URL may differ from the stored address in tracking parameters, in the case of the host, and in http or https.

    Kinds: first, correction, addition, replaced (quite another text), headline (title or authors alone) and live
    update, which names the new entries of a live report.
    """
    with project_reader() as connection:
        past = history(connection, url)
    if past is None or not past.versions:
        say(f"no version of {url} is stored: `newscrawl why {url}` shows what is known about it")
        raise SystemExit(1)
    if as_json:
        print_json(view(past, HISTORY_KEYS))
    else:
        say("\n".join(_lines(past, diff=diff)))


def _lines(past: History, *, diff: bool) -> Iterator[str]:
    yield past.url
    for version in past.versions:
        shown = ", shown now" if version.article_id == past.current and version is _last(past) else ""
        size = counted(len(version.text.split()), "word")
        kind = f"{version.change_class}, {size}{shown}"
        yield f"{version.seen_at:%Y-%m-%d %H:%M} UTC  {kind}: {version.title or 'no title'}"
        yield from (f"    new entry {_named(entry)}" for entry in version.new_entries)
        if diff:
            yield from (f"    {line}" for line in version.diff)
    yield from shown_first(past.first_page)
    yield from overlapping(past.overlaps)


def _named(entry: Mapping[str, Any]) -> str:
    at = f"{datetime.fromisoformat(entry['at']):%H:%M} UTC: " if entry["at"] else ""
    return f"{at}{entry['title'] or 'no title'}"


def _last(past: History) -> object:
    """The latest version of the article that is shown now."""
    return max(
        (version for version in past.versions if version.article_id == past.current),
        key=lambda version: version.last_seen,
    )
