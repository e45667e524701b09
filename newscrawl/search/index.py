"""What a search index must do, and which one belongs to a database.

An index is made of the articles and can be made again: it has no revisions. It keeps its own version and how far it has
read the change feed in itself, written in the transaction that changes it. So it is never ahead of or behind what it
says, wherever a process died.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from newscrawl.search.query import Query
from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.engine.types import clean_text
from newscrawl.storage.tables.schema import NAME_LIMIT

VERSION: Final = 2
"""Of what is written into an index: one of another version is made anew."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which articles may answer, each by any page that shows it. `since`: published, or first seen where no date is
    stated, at this time or later; `language`: a code such as "de", which "de-AT" answers as well."""

    site: str | None = None
    since: datetime | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class IndexedArticle:
    """An article as an index takes it, with the sites and titles of all pages that show it; `at` is the latest time
    that one of them has."""

    article_id: int
    cluster: int
    sites: Sequence[str]
    language: str | None
    at: datetime
    titles: Sequence[str]
    text: str


@dataclass(frozen=True, slots=True)
class IndexPosition:
    """The last change an index has taken in: its number, and whose it was, which tells one database from another."""

    seq: int = 0
    article_id: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """An article that answers; the greater `score`, the better."""

    article_id: int
    cluster: int
    score: float


class IndexTransaction(Protocol):
    """An index being changed, in one transaction."""

    def position(self) -> IndexPosition:
        """How far it has read."""

    def clear(self) -> None:
        """Takes everything out."""

    def replace(self, entries: Iterable[IndexedArticle]) -> None:
        """Puts the articles in, in place of what was there of them."""

    def remove(self, article_ids: Iterable[int]) -> None:
        """Takes the articles out, if they are there."""

    def reached(self, position: IndexPosition) -> None:
        """Notes how far it has read."""


class Index(Protocol):
    """A full-text index."""

    def writing(self) -> AbstractContextManager[IndexTransaction]:
        """One transaction that no other runs beside. Raises IndexBusy when another process keeps it for long."""

    def matches(self, query: Query, filters: Filters, limit: int) -> Sequence[Match]:
        """The best `limit` articles, best first."""

    def close(self) -> None:
        """Closes its connections."""


def storable(name: str) -> str:
    """The name as the database would have stored it: no database takes NUL or half a character to compare with."""
    return clean_text(name, NAME_LIMIT)


def open_index(database_url: str) -> Index:
    """The index of a database: a file beside a SQLite one, a schema of its own in a PostgreSQL one. It is made if it is
    not there. Raises StorageError when it cannot be."""
    url = parse_url(database_url)
    if url.get_backend_name() == "sqlite":
        from newscrawl.search.sqlite_index import SqliteIndex

        return SqliteIndex(Path(f"{url.database}-search"))
    from newscrawl.search.postgresql_index import PostgresqlIndex

    return PostgresqlIndex(url)
