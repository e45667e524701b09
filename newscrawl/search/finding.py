"""A question answered: the best stories, each once, with the place in the text that answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from newscrawl.search.index import Filters, Index, Match
from newscrawl.search.query import Query
from newscrawl.search.snippets import Snippet, snippet
from newscrawl.storage.reports import ExportedArticle, documents

_SPARE: Final = 3
"""Articles asked for each story wanted, at first: most stories have few copies."""
_MOST: Final = 100_000
"""Articles looked through for stories at most."""

__all__ = ["Filters", "Hit", "find"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A story: its article that answers best. `copies` other articles tell the same now."""

    article_id: int
    cluster: int
    copies: int
    score: float
    url: str
    title: str | None
    site: str
    language: str | None
    published: datetime | None
    first_seen: datetime
    snippet: Snippet


def find(index: Index, connection: Connection, query: Query, filters: Filters, limit: int) -> list[Hit]:
    """The best `limit` stories, best first; [] for a question without a word that is wanted.

    `connection` reads the articles. What the index holds is answered: catch up first. Raises StorageError.
    """
    if not query.wanted:
        return []
    best = _best_of_clusters(index, query, filters, limit)
    current = documents(connection, (match.article_id for match in best))
    return [
        _hit(match, current[match.article_id], query) for match in best if match.article_id in current
    ]  # one that went since the index looked is no answer


def _best_of_clusters(index: Index, query: Query, filters: Filters, limit: int) -> Sequence[Match]:
    asked = limit * _SPARE
    while True:
        matches = index.matches(query, filters, asked)
        best: dict[int, Match] = {}
        for match in matches:
            best.setdefault(match.cluster, match)
        if len(best) >= limit or len(matches) < asked or asked >= _MOST:
            return list(best.values())[:limit]
        asked = min(asked * 8, _MOST)


def _hit(match: Match, article: ExportedArticle, query: Query) -> Hit:
    return Hit(
        article_id=article.id,
        cluster=article.cluster,
        copies=article.copies,
        score=round(match.score, 4),
        url=article.url,
        title=article.title,
        site=article.site,
        language=article.language,
        published=article.published,
        first_seen=article.first_seen,
        snippet=snippet(article.text, query),
    )
