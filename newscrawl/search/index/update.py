"""Brings a search index up to date from the change feed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from newscrawl.failpoints import INDEX_HALF, hit
from newscrawl.reports import ExportedArticle, documents
from newscrawl.search.index.protocol import Index, IndexedArticle, IndexPosition, IndexTransaction
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.duplicates.story_pages import StoryPages
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import Change
from newscrawl.storage.reader import Connection, Reader

BATCH_SIZE: Final = 500
"""Changes that one transaction applies: two megabytes of text, a second or less."""

OpenReader = Callable[[], Reader]
"""Opens the database for one read transaction."""


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
    pages = [page for page in story.pages if page.article == article.id]
    return IndexedArticle(
        article_id=article.id,
        cluster=article.cluster,
        sites=tuple(dict.fromkeys(page.site for page in pages)),
        language=article.language.casefold() if article.language else None,
        at=max(page.at for page in pages),
        local_at=max(page.local_at for page in pages),
        first_at=min(page.at for page in pages),
        first_local_at=min(page.local_at for page in pages),
        titles=tuple(dict.fromkeys(page.title for page in pages if page.title)),
        text=article.text,
    )
