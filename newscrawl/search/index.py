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

from newscrawl.search.query import Query
from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.engine.types import clean_text
from newscrawl.storage.tables.schema import NAME_LIMIT

VERSION: Final = 4
"""The version of the content of an index. An index of another version is built again."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which articles may match, by any page that shows them. `since` and `until`: published at this time or later, and
    before that one, or first seen if no date is stated. With `by_local_day` a publication is compared by the time that
    readers saw (newscrawl.times.local_time). `language`: a code such as "de", which also matches "de-AT"."""

    site: str | None = None
    since: datetime | None = None
    language: str | None = None
    by_local_day: bool = False
    until: datetime | None = None


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
        """Returns the best `limit` articles, best first."""

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
        from newscrawl.search.sqlite_index import SqliteIndex

        return SqliteIndex(Path(f"{url.database}-search"))
    from newscrawl.search.postgresql_index import PostgresqlIndex

    return PostgresqlIndex(url)
