"""What an index of the articles is, and how it follows the change feed.

An index is derived from the articles and can be built again, so it has no migrations. It stores its own version and how
far it has read the change feed, in the transaction that changes it. So both are right after any crash.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from newscrawl.publishing.search.filters import Filters, seconds, words_of
from newscrawl.publishing.search.query import Query
from newscrawl.publishing.search.words import FORMS
from newscrawl.reports import ExportedArticle, documents
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import StoryPages
from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import Change
from newscrawl.storage.reader import Connection, Reader
from newscrawl.workers.processes.failpoints import INDEX_HALF, hit

VERSION: Final = f"tables 7, {FORMS}, filters 1, words 3"
"""The version of an index: of its tables, of the stemmers, of the words for filters
(newscrawl.publishing.search.filters), and of the words of a text. An index of another version is built again."""
MAX_RANKED: Final = 300
"""The most matching articles that are ranked, those that were stored last. Without a limit, a word that occurs in most
of a million articles takes seconds."""
BATCH_SIZE: Final = 500
"""Changes that one transaction applies: two megabytes of text, a second or less."""

OpenReader = Callable[[], Reader]
"""Opens the database for one read transaction."""


@dataclass(frozen=True, slots=True)
class IndexedArticle:
    """An article as it is put into an index, with the titles of all pages that show it.

    `row` is its row in both databases, without the words. Times in it are numbers, which both compare alike: `at` is
    the latest time of the pages, `first_at` the earliest; `local_at` and `first_local_at` are the same by the time that
    readers saw. `marks` are the words by which filters find it.
    """

    row: Mapping[str, Any]
    marks: Sequence[str]
    language: str | None
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

    def reached(self) -> int:
        """Returns the number of the last change that the index has applied."""

    def close(self) -> None:
        """Closes its connections."""


def open_index(database_url: str) -> Index:
    """Opens the index of a database, and creates it if it is missing: a file beside a SQLite database, or a schema in a
    PostgreSQL one. Raises StorageError when that is not possible."""
    url = parse_url(database_url)
    if url.get_backend_name() == "sqlite":
        from newscrawl.publishing.search.sqlite import SqliteIndex

        return SqliteIndex(Path(f"{url.database}-search"))
    from newscrawl.publishing.search.postgresql import PostgresqlIndex

    return PostgresqlIndex(url)


def existing_index(database_url: str) -> Index | None:
    """Returns the index of a database, to search only; None without one, or for one of another version. Raises
    StorageError."""
    url = parse_url(database_url)
    if url.get_backend_name() == "sqlite":
        from newscrawl.publishing.search import sqlite

        return sqlite.existing_index(Path(f"{url.database}-search"))
    from newscrawl.publishing.search import postgresql

    return postgresql.existing_index(url)


def update_index(index: Index, open_reader: OpenReader, progress: Callable[[int, int], None] | None = None) -> int:
    """Applies all changes that the index does not have. Returns how many. `progress` is called with (change reached,
    last change).

    An index of another database, or of one that was restored from a backup, is built again. Raises StorageError, and
    IndexBusy when another process holds the index.
    """
    total = 0
    while True:
        with index.writing() as transaction:
            applied, newest = _apply_batch(transaction, open_reader)
            reached = transaction.position().seq
        total += applied
        if progress is not None:
            progress(reached, newest)
        if applied < BATCH_SIZE:
            return total


def _apply_batch(transaction: IndexTransaction, open_reader: OpenReader) -> tuple[int, int]:
    """Applies one batch. Returns its number of changes and the number of the last change in the feed.

    The index is locked before the database is read, so that what is read is never older than the index.
    """
    with open_reader() as connection:
        position, newest = transaction.position(), changes.newest(connection)
        if not _continues(position, newest, changes.read(connection, position.seq - 1, 1)):
            transaction.clear()
            position = IndexPosition()
        batch = changes.read(connection, position.seq, BATCH_SIZE)
        if batch:
            put(transaction, connection, {change.article_id for change in batch})
            hit(INDEX_HALF)
            transaction.reached(IndexPosition(batch[-1].seq, batch[-1].article_id))
        return len(batch), newest


def put(transaction: IndexTransaction, connection: Connection, article_ids: Collection[int]) -> None:
    """Makes the entries of the articles as the articles are now, and removes those of articles that are gone."""
    current = documents(connection, article_ids)
    stories = story_pages.pages_by_story(connection, (article.cluster for article in current.values()))
    transaction.remove(set(article_ids) - current.keys())
    transaction.replace(_entry(article, stories[article.cluster]) for article in current.values())


def _continues(position: IndexPosition, newest: int, found: list[Change]) -> bool:
    """Returns whether the feed is the one that the index has read up to its position. `found` is the change there. It
    may have been removed as superseded, but it cannot be of another article."""
    if position.seq > newest:
        return False
    return not (position.seq and found and found[0].seq == position.seq and found[0].article_id != position.article_id)


def _entry(article: ExportedArticle, story: StoryPages) -> IndexedArticle:
    pages = [page for page in story.pages if page.article_id == article.id]
    language = article.language.casefold() if article.language else None
    times, local_times = [page.at for page in pages], [page.local_at for page in pages]
    row = {
        "article_id": article.id,
        "cluster": article.cluster,
        "language": language,
        "at": seconds(max(times)),
        "local_at": seconds(max(local_times)),
        "first_at": seconds(min(times)),
        "first_local_at": seconds(min(local_times)),
    }
    marks = words_of((page.site for page in pages), language, times + local_times)
    titles = tuple(dict.fromkeys(page.title for page in pages if page.title))
    return IndexedArticle(row, marks, language, titles, article.text)
