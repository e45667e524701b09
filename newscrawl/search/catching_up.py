"""An index brought to what the articles are now, by the change feed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from newscrawl.failpoints import INDEX_HALF, hit
from newscrawl.search.index import Index, IndexedArticle, IndexPosition, IndexTransaction
from newscrawl.storage import Reader
from newscrawl.storage.duplicates import first_pages
from newscrawl.storage.duplicates.first_pages import StoryPages
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import Change
from newscrawl.storage.reports import ExportedArticle, documents

PART: Final = 500
"""Changes taken in by one transaction: two megabytes of text, a second or less."""

Reading = Callable[[], Reader]
"""Opens the database for one look."""


def catch_up(index: Index, reading: Reading, progress: Callable[[int, int], None] | None = None) -> int:
    """Takes in all changes the index has not seen; returns how many. `progress` is told (change reached, last change).

    An index of another database, or of one that was set back to a backup, is made anew. Raises StorageError, and
    IndexBusy when another process holds the index.
    """
    total = 0
    while True:
        with index.writing() as writing:
            taken, newest = _take_part(writing, reading)
            reached = writing.position().seq
        total += taken
        if progress is not None:
            progress(reached, newest)
        if taken < PART:
            return total


def _take_part(writing: IndexTransaction, reading: Reading) -> tuple[int, int]:
    """Takes in one part; returns its number of changes and the last change's number.

    The index is locked before the database is looked at: so the look is never older than what the index has.
    """
    with reading() as connection:
        position, newest = writing.position(), changes.newest(connection)
        if not _continues(position, newest, changes.read(connection, position.seq - 1, 1)):
            writing.clear()
            position = IndexPosition()
        part = changes.read(connection, position.seq, PART)
        if part:
            numbers = {change.article_id for change in part}
            current = documents(connection, numbers)
            told = first_pages.of_stories(connection, (article.cluster for article in current.values()))
            writing.remove(numbers - current.keys())
            writing.replace(_entry(article, told[article.cluster]) for article in current.values())
            hit(INDEX_HALF)
            writing.reached(IndexPosition(part[-1].seq, part[-1].article_id))
        return len(part), newest


def _continues(position: IndexPosition, newest: int, found: list[Change]) -> bool:
    """Whether the feed is the one that the index has read up to its position. `found` is the change there: it may be
    gone, when a later one made it needless; it cannot be another."""
    if position.seq > newest:
        return False
    return not (position.seq and found and found[0].seq == position.seq and found[0].article_id != position.article_id)


def _entry(article: ExportedArticle, story: StoryPages) -> IndexedArticle:
    pages = [page for page in story.pages if page.candidate.article == article.id]
    return IndexedArticle(
        article_id=article.id,
        cluster=article.cluster,
        sites=tuple(dict.fromkeys(page.candidate.site for page in pages)),
        language=article.language.casefold() if article.language else None,
        at=max(page.at for page in pages),
        titles=tuple(dict.fromkeys(page.title for page in pages if page.title)),
        text=article.text,
    )
