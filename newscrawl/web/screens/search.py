"""The screen of search: the best stories for some words, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final

from newscrawl.publishing.search import Filters, SearchHit, query_of
from newscrawl.publishing.search.query_execution import search_read_only
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen, check_site

SIZE: Final = 30


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The words, as `newscrawl search` takes them, and which articles: of a site, of a language, from a day on."""

    q: str | None = None
    site: str | None = None
    language: str | None = None
    since: date | None = None

    @property
    def to_save(self) -> str:
        """The query with its site and language, as a standing search has it. That finds what is stored from now on, so
        it has no day."""
        chosen = (f'site:"{self.site}"' if self.site else "", f"lang:{self.language}" if self.language else "")
        return " ".join(filter(None, (self.q, *chosen)))


@dataclass(frozen=True, slots=True)
class SearchScreen:
    """The best stories, best first; `more` says whether there are others. The pages never write the search index:
    `has_index` is False without one, and `behind` is the number of changes that it lacks; `newscrawl search` brings it
    up to date. `old` is always 0."""

    hits: Sequence[SearchHit]
    has_index: bool
    behind: int
    old: int = 0
    more: bool = False


NOTHING: Final = SearchScreen((), has_index=True, behind=0)
"""The value without a query, or beside the error of one."""


def load(connection: Connection, query: SearchQuery, context: Context) -> SearchScreen:
    """Returns the best stories. Raises UsageError for a query that cannot be meant, or without a word to search
    for."""
    check_site(connection, query.site)
    if query.q is None:
        return NOTHING
    since = datetime.combine(query.since, time(), UTC) if query.since is not None else None
    filters = Filters(query.site, since, query.language)
    found = search_read_only(context.database_url, connection, query_of(query.q, context.now), filters, SIZE + 1)
    if found is None:
        return SearchScreen((), has_index=False, behind=0)
    hits = tuple(found.hits[:SIZE])
    return SearchScreen(hits, has_index=True, behind=found.behind, more=len(found.hits) > SIZE)


SCREEN = Screen("search", "/search", "Search", SearchQuery, SearchScreen, load, empty=NOTHING)
