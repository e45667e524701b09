"""The Protocol of search indexes, and which index belongs to a database.

An index is derived from the articles and can be built again, so it has no migrations. It stores its own version and how
far it has read the change feed, in the transaction that changes it. So both are right after any crash.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from newscrawl.search.filters import Filters
from newscrawl.search.query import Query
from newscrawl.search.stems import FORMS
from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.engine.types import NAME_LIMIT, clean_text

VERSION: Final = f"tables 6, {FORMS}, filters 1, words 2"
"""The version of an index: of its tables, of the stemmers, of the words for filters
(newscrawl.search.index.filter_words), and of the words of a text. An index of another version is built again."""
MAX_RANKED: Final = 300
"""The most matching articles that are ranked, those that were stored last. Without a limit, a word that occurs in most
of a million articles takes seconds."""

__all__ = ["Filters", "Index", "IndexTransaction", "IndexedArticle", "Match", "open_index", "storable"]


@dataclass(frozen=True, slots=True)
class IndexedArticle:
    """An article as it is put into an index, with the sites and titles of all pages that show it. `at` is the latest
    time of these pages, `first_at` the earliest; `local_at` and `first_local_at` are the same by the time that readers
    saw."""

    article_id: int
    cluster: int
    sites: Sequence[str]
    language: str | None
    at: datetime
    local_at: datetime
    first_at: datetime
    first_local_at: datetime
    titles: Sequence[str]
    text: str


@dataclass(frozen=True, slots=True)
class IndexPosition:
    """The last change that an index has applied: its number and its article, which distinguishes databases."""

    seq: int = 0
    article_id: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """An article that matches. A greater `score` is better."""

    article_id: int
    cluster: int
    score: float


class IndexTransaction(Protocol):
    """A transaction that changes an index."""

    def position(self) -> IndexPosition:
        """Returns how far the index has read."""

    def clear(self) -> None:
        """Removes everything."""

    def replace(self, entries: Iterable[IndexedArticle]) -> None:
        """Stores the articles in place of their earlier entries."""

    def remove(self, article_ids: Iterable[int]) -> None:
        """Removes the articles, if they are there."""

    def reached(self, position: IndexPosition) -> None:
        """Stores how far the index has read."""


class Index(Protocol):
    """A full-text index."""

    def writing(self) -> AbstractContextManager[IndexTransaction]:
        """Opens an exclusive transaction. Raises IndexBusy when another process keeps the index locked for long."""

    def matches(self, query: Query, filters: Filters, limit: int) -> Sequence[Match]:
        """Returns the best `limit` articles, best first, of the MAX_RANKED newest that match."""

    def close(self) -> None:
        """Closes its connections."""


def storable(name: str) -> str:
    """Returns the name as the database would store it, so that it can be compared: no database accepts NUL or half of a
    surrogate pair."""
    return clean_text(name, NAME_LIMIT)


def open_index(database_url: str) -> Index:
    """Opens the index of a database, and creates it if it is missing: a file beside a SQLite database, or a schema in a
    PostgreSQL one. Raises StorageError when that is not possible."""
    url = parse_url(database_url)
    if url.get_backend_name() == "sqlite":
        from newscrawl.search.index.sqlite import SqliteIndex

        return SqliteIndex(Path(f"{url.database}-search"))
    from newscrawl.search.index.postgresql import PostgresqlIndex

    return PostgresqlIndex(url)
