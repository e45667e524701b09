"""Runs a query on a database: brings its index up to date and searches it, or searches it as it is. The answer has the
best stories, each once, with the part of the text that matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Final

from newscrawl.errors import IndexBusy, UsageError
from newscrawl.publishing.search.filters import Filters, combined
from newscrawl.publishing.search.index import Index, Match, OpenReader, existing_index, open_index, update_index
from newscrawl.publishing.search.matching import Snippet, Words, snippet
from newscrawl.publishing.search.query import Query, parse_query
from newscrawl.reports import ExportedArticle, Period, documents
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import MemberPage, StoryPages
from newscrawl.storage.engine.database import make_reader, parse_url
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.feed import changes
from newscrawl.storage.reader import Connection, open_reader

_SPARE: Final = 3
"""Articles that are requested for each wanted story at first. Most stories have few copies."""
_MAX_HITS: Final = 100_000
"""The most articles that are searched for stories."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A story, shown by one of its pages (`shown_page`), with the article of that page. `copies` counts other articles
    of the story, `round_ups` other stories that contain one of its texts."""

    article_id: int
    cluster: int
    copies: int
    round_ups: int
    score: float
    url: str
    title: str | None
    site: str
    language: str | None
    published: datetime | None
    first_seen: datetime
    snippet: Snippet
    published_offset: int | None = None
    """The offset from UTC that the page states with `published`, in minutes east."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The best stories, best first, and how many changes the index lacks."""

    hits: Sequence[SearchHit]
    behind: int

    @property
    def is_current(self) -> bool:
        """Whether the index has all changes. It may lack the newest while another process writes it."""
        return not self.behind


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
        is_busy = False
        try:
            update_index(index, reading, progress)
        except IndexBusy:
            is_busy = True
        with reading() as connection:
            behind = _behind(index, connection) if is_busy else 0
            return SearchAnswer(find_stories(index, connection, query, filters, limit), behind)


def update_index_of(database_url: str, progress: Callable[[int, int], None] | None = None) -> int:
    """Brings the search index of a database up to date, and makes it if there is none. Returns the number of changes.
    `progress` is called as in `update_index`. Raises IndexBusy, and StorageError as `run_query`."""
    with _index_of(database_url) as (index, reading):
        return update_index(index, reading, progress)


def search_read_only(
    database_url: str, connection: Connection, query: Query, filters: Filters, limit: int
) -> SearchAnswer | None:
    """Returns the best stories by the index as it is, and writes nothing: for pages that only show. None if there is no
    index, or one of another version.

    `connection` reads the articles. Raises StorageError.
    """
    index = existing_index(database_url)
    if index is None:
        return None
    with closing(index):
        behind = _behind(index, connection)
        return SearchAnswer(find_stories(index, connection, query, filters, limit), behind)


def _behind(index: Index, connection: Connection) -> int:
    """Returns how many changes the index lacks."""
    return max(0, changes.newest(connection) - index.reached())


@contextmanager
def _index_of(database_url: str) -> Iterator[tuple[Index, OpenReader]]:
    """Opens the search index of a database, with what opens the database."""
    make_reader(parse_url(database_url))  # a missing database is an error before an index is made beside it
    with closing(open_index(database_url)) as index:
        yield index, partial(open_reader, database_url)


def find_stories(index: Index, connection: Connection, query: Query, filters: Filters, limit: int) -> list[SearchHit]:
    """Returns the best `limit` stories, best first; [] for a query without a wanted word.

    `filters` and those of the query apply. `connection` reads the articles. The index is searched as it is, so call
    `update_index` first. Raises StorageError, and UsageError if the filters and those of the query exclude each other.
    """
    if not query.wanted:
        return []
    filters = combined(filters, query.filters)
    chosen = _chosen(index, connection, query, filters, limit)
    current = documents(connection, (page.article_id for _, page in chosen))
    contained = story_pages.containers_by_story(connection, (match.cluster for match, _ in chosen))
    return [
        _hit(match, page, current[page.article_id], query, contained)
        for match, page in chosen
        if page.article_id in current
    ]


def _chosen(
    index: Index, connection: Connection, query: Query, filters: Filters, limit: int
) -> list[tuple[Match, MemberPage]]:
    """Returns the best `limit` stories with the page that each shows. Left out are stories that were removed since, and
    those with a page before the period and one after it, which the index cannot tell from others."""
    requested = limit * _SPARE
    while True:
        matches = index.matches(query, filters, requested)
        chosen = list(islice(_with_pages(connection, matches, query, filters, limit), limit))
        if len(chosen) >= limit or len(matches) < requested or requested >= _MAX_HITS:
            return chosen
        requested = min(requested * 8, _MAX_HITS)


def _with_pages(
    connection: Connection, matches: Sequence[Match], query: Query, filters: Filters, size: int
) -> Iterator[tuple[Match, MemberPage]]:
    """Yields each story's best match with the page that the story shows, in the order of the matches. The pages of
    `size` stories are read at a time."""
    best: dict[int, Match] = {}
    articles: dict[int, set[int]] = defaultdict(set)
    for match in matches:
        best.setdefault(match.cluster, match)
        articles[match.cluster].add(match.article_id)
    for part in chunks(best, size):
        stories = story_pages.pages_by_story(connection, part)
        for number in part:
            if (story := stories.get(number)) and (page := shown_page(story, articles[number], query, filters)):
                yield best[number], page


def shown_page(story: StoryPages, articles: Collection[int], query: Query, filters: Filters) -> MemberPage | None:
    """Returns the page that a hit shows, among the pages whose articles match: one of the site and time of the filters,
    then the one with most query words in its title, then the first page of the story. None if no page is of the
    period."""
    in_period = Period(filters.since, filters.until, filters.by_local_day)
    pages = [page for page in story.pages if page.article_id in articles]
    if not any(_is_in(page, in_period) for page in pages):
        return None
    pages = [page for page in pages if filters.site in {None, page.site}] or pages
    pages = [page for page in pages if _is_in(page, in_period)] or pages
    return max(pages, key=lambda page: _in_title(page.title, query), default=None)


def _is_in(page: MemberPage, period: Period) -> bool:
    return period.has(page.published, page.published_offset, page.first_seen)


def _in_title(title: str | None, query: Query) -> int:
    """Returns how many of the wanted clauses a title contains, in the form in which they were typed."""
    there = Words.of((title,), None)
    return sum(any(map(there.has, clause.terms)) for clause in query.wanted)


def _hit(
    match: Match, page: MemberPage, article: ExportedArticle, query: Query, contained: Mapping[int, int]
) -> SearchHit:
    return SearchHit(
        article_id=article.id,
        cluster=article.cluster,
        copies=article.copies,
        round_ups=contained.get(article.cluster, 0),
        score=round(match.score, 4),
        url=page.url,
        title=page.title,
        site=page.site,
        language=article.language,
        published=page.published,
        first_seen=article.first_seen,
        snippet=snippet(article.text, query, article.language),
        published_offset=page.published_offset,
    )
