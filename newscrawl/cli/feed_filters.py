"""The options of `newscrawl feed` that choose articles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, get_args

import click

from newscrawl.errors import UsageError
from newscrawl.feed.filters import FeedFilter
from newscrawl.model import Verdict
from newscrawl.reports import ExportedArticle
from newscrawl.search.filters import Filters
from newscrawl.search.matching import matches
from newscrawl.search.query import Query, parse_query

_Command = TypeVar("_Command", bound=Callable[..., Any])


def filter_options(command: _Command) -> _Command:
    """Adds the options to a command, which gets them as `site`, `lang`, `verdict`, `query` and
    `min_confidence`."""
    options = (
        click.option("--site", multiple=True, help="Only articles that a page of this site shows. Repeat for several."),
        click.option("--lang", multiple=True, help="Only articles in this language, such as de. Repeat for several."),
        click.option(
            "--verdict",
            multiple=True,
            type=click.Choice(get_args(Verdict)),
            help="Only articles with this verdict. Repeat for several.",
        ),
        click.option("--query", help="Only articles whose title or text matches, as in `newscrawl search`."),
        click.option(
            "--min-confidence",
            type=click.FloatRange(0, 1),
            help="Only articles with this confidence (0 to 1) or more. Those stored without one are left out.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


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
