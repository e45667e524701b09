"""Answers a query: the best stories, each once, with the part of the text that matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from newscrawl.publishing.search.filters import Filters, combined
from newscrawl.publishing.search.index import Index, Match
from newscrawl.publishing.search.matching import Words
from newscrawl.publishing.search.query import Query
from newscrawl.publishing.search.snippets import Snippet, snippet
from newscrawl.reports import ExportedArticle, Period, documents
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import ShownPage, StoryPages
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.reader import Connection

_SPARE: Final = 3
"""Articles that are requested for each wanted story at first. Most stories have few copies."""
_MAX_HITS: Final = 100_000
"""The most articles that are searched for stories."""

__all__ = ["Filters", "SearchHit", "find_stories"]


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
) -> list[tuple[Match, ShownPage]]:
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
) -> Iterator[tuple[Match, ShownPage]]:
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


def shown_page(story: StoryPages, articles: Collection[int], query: Query, filters: Filters) -> ShownPage | None:
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


def _is_in(page: ShownPage, period: Period) -> bool:
    return period.has(page.published, page.published_offset, page.first_seen)


def _in_title(title: str | None, query: Query) -> int:
    """Returns how many of the wanted clauses a title contains, in the form in which they were typed."""
    there = Words.of((title,), None)
    return sum(any(map(there.has, clause.terms)) for clause in query.wanted)


def _hit(
    match: Match, page: ShownPage, article: ExportedArticle, query: Query, contained: Mapping[int, int]
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
