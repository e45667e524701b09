"""Runs a query on a database: brings its index up to date and searches it, or searches it as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from newscrawl.errors import IndexBusy, UsageError
from newscrawl.publishing.search.index import Index, OpenReader, existing_index, open_index, update_index
from newscrawl.publishing.search.query import Query, parse_query
from newscrawl.publishing.search.ranking import Filters, SearchHit, find_stories
from newscrawl.storage.engine.database import make_reader, parse_url
from newscrawl.storage.feed import changes
from newscrawl.storage.reader import Connection, open_reader


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The best stories, best first. `is_current`: whether the index has all changes. It may lack the newest while
    another process writes it."""

    hits: Sequence[SearchHit]
    is_current: bool


@dataclass(frozen=True, slots=True)
class ReadOnlyResult:
    """The best stories, best first, and how many changes the index lacks."""

    hits: Sequence[SearchHit]
    behind: int


def query_of(typed: str, now: datetime | None = None) -> Query:
    """Returns the query that a person typed; see parse_query. Raises UsageError for one that cannot be meant, or that
    has no word to search for."""
    query = parse_query(typed, now)
    if not query.wanted:
        raise UsageError("nothing to search for: give at least one word that must be in the text")
    return query


def run_query(
    database_url: str,
    query: Query,
    filters: Filters,
    limit: int,
    progress: Callable[[int, int], None] | None = None,
) -> SearchAnswer:
    """Returns the best `limit` stories of a database. `progress` is called as in `update_index`.

    The search index is brought up to date first, and made if there is none. The articles are only read. Raises
    StorageError, also if the index cannot be written.
    """
    with _index_of(database_url) as (index, reading):
        try:
            update_index(index, reading, progress)
            is_current = True
        except IndexBusy:
            is_current = False
        with reading() as connection:
            return SearchAnswer(find_stories(index, connection, query, filters, limit), is_current)


def update_index_of(database_url: str, progress: Callable[[int, int], None] | None = None) -> int:
    """Brings the search index of a database up to date, and makes it if there is none. Returns the number of changes.
    `progress` is called as in `update_index`. Raises IndexBusy, and StorageError as `run_query`."""
    with _index_of(database_url) as (index, reading):
        return update_index(index, reading, progress)


def search_read_only(
    database_url: str, connection: Connection, query: Query, filters: Filters, limit: int
) -> ReadOnlyResult | None:
    """Returns the best stories by the index as it is, and writes nothing: for pages that only show. None if there is no
    index, or one of another version.

    `connection` reads the articles. Raises StorageError.
    """
    index = existing_index(database_url)
    if index is None:
        return None
    with closing(index):
        reached = index.reached()
        hits = find_stories(index, connection, query, filters, limit)
        return ReadOnlyResult(hits, max(0, changes.newest(connection) - reached))


@contextmanager
def _index_of(database_url: str) -> Iterator[tuple[Index, OpenReader]]:
    """Opens the search index of a database, with what opens the database."""
    make_reader(parse_url(database_url))  # a missing database is an error before an index is made beside it
    with closing(open_index(database_url)) as index:
        yield index, partial(open_reader, database_url)
