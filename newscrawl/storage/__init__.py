"""The database: what is stored of pages and articles, and every way to change or read it. Nothing outside knows SQL.

In here: `store` is the writer that a crawl uses, `reader` opens the database for reading commands, `protocols` is what
callers need of both, `records` is what storage takes and returns; `engine` opens databases and keeps them available;
`tables` and `migrations` are the schema; `frontier` holds what is to be fetched, `crawls` what a crawl changes in
several tables at once, `articles` texts and versions, `duplicates` stories, `captures` the archive's index, `feed` the
change feed, `monitoring` alarms and the review queue, `reports` what people read, `removal` what forgets, `events` and
`dead_letters` what happened to pages. Not in here: when something is due (`newscrawl.scheduling`). Start with `store`,
then `articles`.

Everything above storage may import this package. No other part of newscrawl uses SQL, but for the full-text index of
`newscrawl.search`, which has tables of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:  # commands that only read need no store
    from newscrawl.storage.protocols import Connection, Database, Reader, Transactions
    from newscrawl.storage.reader import open_reader
    from newscrawl.storage.records import DuePage, Event, Outcome, PageRow, SourceAnswer, SourceRow
    from newscrawl.storage.store import Store, open_store

__all__ = [
    "Connection",
    "Database",
    "DuePage",
    "Event",
    "Outcome",
    "PageRow",
    "Reader",
    "SourceAnswer",
    "SourceRow",
    "Store",
    "Transactions",
    "open_reader",
    "open_store",
]

__getattr__ = loaded_when_used(
    __name__,
    {
        "Connection": "protocols",
        "Database": "protocols",
        "DuePage": "records",
        "Event": "records",
        "Outcome": "records",
        "PageRow": "records",
        "Reader": "protocols",
        "SourceAnswer": "records",
        "SourceRow": "records",
        "Store": "store",
        "Transactions": "protocols",
        "open_reader": "reader",
        "open_store": "store",
    },
)
