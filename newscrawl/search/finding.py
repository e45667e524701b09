"""A question answered: the best stories, each once, with the place in the text that answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.search.index import Filters, Index, Match
from newscrawl.search.query import Clause, Query
from newscrawl.search.snippets import Snippet, snippet
from newscrawl.search.words import words
from newscrawl.storage import Connection
from newscrawl.storage.duplicates import containment_links, first_pages
from newscrawl.storage.duplicates.first_pages import ShownPage, StoryPages
from newscrawl.storage.reports import ExportedArticle, documents

_SPARE: Final = 3
"""Articles asked for each story wanted, at first: most stories have few copies."""
_MOST: Final = 100_000
"""Articles looked through for stories at most."""

__all__ = ["Filters", "SearchHit", "find"]


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A story by one of its pages (`shown_page`), with the article that it shows. `copies` other articles tell the same
    now, and `round_ups` other stories contain one of its texts."""

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


def find(index: Index, connection: Connection, query: Query, filters: Filters, limit: int) -> list[SearchHit]:
    """The best `limit` stories, best first; [] for a question without a word that is wanted.

    `connection` reads the articles. What the index holds is answered: catch up first. Raises StorageError.
    """
    if not query.wanted:
        return []
    best = _best_of_clusters(index, query, filters, limit)
    stories = first_pages.of_stories(connection, (found.best.cluster for found in best))
    chosen = [
        (found.best, page)
        for found in best
        if (story := stories.get(found.best.cluster)) and (page := shown_page(story, found.articles, query, filters))
    ]  # a story that went since the index looked is no answer
    current = documents(connection, (page.candidate.article for _, page in chosen))
    contained = containment_links.of_stories(connection, (match.cluster for match, _ in chosen))
    return [
        _hit(match, page, current[page.candidate.article], query, contained)
        for match, page in chosen
        if page.candidate.article in current
    ]


def shown_page(story: StoryPages, articles: Collection[int], query: Query, filters: Filters) -> ShownPage | None:
    """The page that a hit shows: of those whose articles answer, one of the site and time that were asked for, then the
    one whose title has most of what was asked for, then the one that the story is shown by."""
    pages = [page for page in story.pages if page.candidate.article in articles]
    for wanted in (_of_site(filters.site), _since(filters.since)):
        pages = [page for page in pages if wanted(page)] or pages
    return max(pages, key=lambda page: _in_title(page.title or "", query), default=None)


def _of_site(site: str | None) -> Callable[[ShownPage], bool]:
    return lambda page: site is None or page.candidate.site == site


def _since(since: datetime | None) -> Callable[[ShownPage], bool]:
    return lambda page: since is None or page.at >= since


def _in_title(title: str, query: Query) -> int:
    """How many of the wanted clauses a title has."""
    row = words(title)
    return sum(any(_stands_at(clause, row, place) for place in range(len(row))) for clause in query.wanted)


def _stands_at(clause: Clause, row: Sequence[str], place: int) -> bool:
    *first, last = clause.words
    there = row[place : place + len(clause.words)]
    if len(there) < len(clause.words) or there[:-1] != first:
        return False
    return there[-1].startswith(last) if clause.prefix else there[-1] == last


@dataclass(frozen=True, slots=True)
class _Found:
    """A story: the match that answers best, and all articles that answer."""

    best: Match
    articles: set[int]


def _best_of_clusters(index: Index, query: Query, filters: Filters, limit: int) -> Sequence[_Found]:
    asked = limit * _SPARE
    while True:
        matches = index.matches(query, filters, asked)
        best: dict[int, _Found] = {}
        for match in matches:
            best.setdefault(match.cluster, _Found(match, set())).articles.add(match.article_id)
        if len(best) >= limit or len(matches) < asked or asked >= _MOST:
            return list(best.values())[:limit]
        asked = min(asked * 8, _MOST)


def _hit(
    match: Match, page: ShownPage, article: ExportedArticle, query: Query, contained: Mapping[int, int]
) -> SearchHit:
    return SearchHit(
        article_id=article.id,
        cluster=article.cluster,
        copies=article.copies,
        round_ups=contained.get(article.cluster, 0),
        score=round(match.score, 4),
        url=page.candidate.url,
        title=page.title,
        site=page.candidate.site,
        language=article.language,
        published=page.published,
        first_seen=article.first_seen,
        snippet=snippet(article.text, query),
    )
