"""Makes the entries of an index again that other stemmers made, in steps beside crawls and searches.

A step is one transaction of the index. It stores how far it came, so that a process that is killed loses one step. The
newest articles come first. Searches use the index all the time; until an article's turn comes, it is found by its exact
words or by the stems of the former stemmers.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Final

from newscrawl.failpoints import INDEX_HALF, hit
from newscrawl.search.index.protocol import Index, open_index
from newscrawl.search.index.read_only import has_index
from newscrawl.search.index.update import OpenReader, put

STEP: Final = 200
"""Entries of a step: about half a second on one core."""


def restem_step(index: Index, open_reader: OpenReader, size: int = STEP) -> int:
    """Makes at most `size` entries again, the newest first. Returns how many; 0 when all are new. Raises StorageError,
    and IndexBusy when another process holds the index."""
    with index.writing() as transaction:  # first, so that what is read is never older than the index
        numbers = transaction.old_entries(size)
        if numbers:
            with open_reader() as connection:
                put(transaction, connection, numbers)
            hit(INDEX_HALF)
        transaction.converted(min(numbers, default=0))
        return len(numbers)


def restem_steps(database_url: str, open_reader: OpenReader) -> Generator[tuple[int, int], None, None]:
    """Makes all old entries of a database's index again. Yields (done, total) after each step; nothing if there is no
    index, or none of its entries is old. Raises StorageError, and IndexBusy."""
    if not has_index(database_url):
        return
    with closing(open_index(database_url)) as index:
        total = index.old_count()
        done = 0
        while total and (made := restem_step(index, open_reader)):
            done += made
            yield done, max(total, done)
