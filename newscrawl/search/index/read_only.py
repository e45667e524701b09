"""Searches the index of a database as it is, and writes nothing: for pages that only show."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from newscrawl.search.index.protocol import Index
from newscrawl.search.query import Query
from newscrawl.search.ranking import Filters, SearchHit, find_stories
from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.feed import changes
from newscrawl.storage.reader import Connection


@dataclass(frozen=True, slots=True)
class ReadOnlyResult:
    """The best stories, best first, and how many changes the index lacks."""

    hits: Sequence[SearchHit]
    behind: int


def search_read_only(
    database_url: str, connection: Connection, query: Query, filters: Filters, limit: int
) -> ReadOnlyResult | None:
    """Returns the best stories by the index as it is; None if there is none, or one of another version.

    `connection` reads the articles. Raises StorageError.
    """
    index = _existing_index(database_url)
    if index is None:
        return None
    with closing(index):
        reached = index.reached()
        hits = find_stories(index, connection, query, filters, limit)
        return ReadOnlyResult(hits, max(0, changes.newest(connection) - reached))


class _ExistingIndex(Index, Protocol):
    def reached(self) -> int: ...


def _existing_index(database_url: str) -> _ExistingIndex | None:
    url = parse_url(database_url)
    if url.get_backend_name() == "sqlite":
        from newscrawl.search.index import sqlite

        return sqlite.existing_index(Path(f"{url.database}-search"))
    from newscrawl.search.index import postgresql

    return postgresql.existing_index(url)
