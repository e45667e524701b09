"""The screen of articles, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, Literal

from newscrawl.errors import UsageError
from newscrawl.reports import shown_articles
from newscrawl.reports.shown_articles import Place, ShownArticle, Wanted
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen, check_site

SIZE: Final = 100
WRONG_PLACE: Final = "after={!r}: give the `next` of the part before"
MAX_DIGITS: Final = 18
"""Digits of the number of a version. The database holds no more than 63 bits."""


@dataclass(frozen=True, slots=True)
class ArticlesQuery:
    """Which articles: of a site, a language ("de" includes "de-AT"), a verdict, a day (UTC) on which their page first
    showed the text, and those after a part (`next`)."""

    site: str | None = None
    language: str | None = None
    verdict: Literal["article", "live", "paywalled", "short"] | None = None
    day: date | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ArticlesScreen:
    """Some articles, by the time when a page first showed them. A part may have few of them, or none, and yet a `next`:
    the parameter `after` of the following part, None at the end."""

    articles: Sequence[ShownArticle]
    next: str | None


def load(connection: Connection, query: ArticlesQuery, _context: Context) -> ArticlesScreen:
    """Returns a part of the articles. Raises UsageError for an unknown site."""
    check_site(connection, query.site)
    wanted = Wanted(query.site, query.language, query.verdict, query.day)
    after = _read_place(query.after) if query.after is not None else None
    part = shown_articles.part(connection, wanted, SIZE, after)
    return ArticlesScreen(tuple(part.articles), _place_text(part.following) if part.following is not None else None)


def _place_text(place: Place) -> str:
    moment, number = place
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%S.%f}-{number}"


def _read_place(text: str) -> Place:
    moment, _, number = text.partition("-")
    if len(number) > MAX_DIGITS:
        raise UsageError(WRONG_PLACE.format(text[:50]))
    try:
        at = datetime.strptime(moment, "%Y%m%dT%H%M%S.%f").replace(tzinfo=UTC)
        return at, int(number)
    except ValueError as error:
        raise UsageError(WRONG_PLACE.format(text[:50])) from error


SCREEN = Screen("articles", "/articles", "Articles", ArticlesQuery, ArticlesScreen, load)
