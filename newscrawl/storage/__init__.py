"""The database: all stored data of pages and articles, and every function that changes or reads it.

In here: `store` is the writer that a crawl uses, also under a site's lease, `reader` the interface of the database for
other packages and the database of reading commands, `records` are parameters and results of storage; `engine` opens
databases and keeps them available; `tables` and `migrations` are the schema; `frontier` is what must be fetched, and
how a crawl begins and ends, `articles` texts and versions, `duplicates` stories, `captures` the archive's index, `feed`
the change feed and its consumers, `monitoring` alarms, the review queue and what was learned of sites, `reports`
figures and lists for people, `removal` deletes data, `backup` copies the database, `events` records what happened to
pages. Not in here: when something is due (`newscrawl.scheduling`). Start with `store`, then `articles`.

All packages above storage may import this one. No other part of newscrawl uses SQL, except the full-text index of
`newscrawl.search`, which has its own tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:  # reading commands need no store
    from newscrawl.storage.reader import Connection, Database, Reader, Transactions, open_reader
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
        "Connection": "reader",
        "Database": "reader",
        "DuePage": "records",
        "Event": "records",
        "Outcome": "records",
        "PageRow": "records",
        "Reader": "reader",
        "SourceAnswer": "records",
        "SourceRow": "records",
        "Store": "store",
        "Transactions": "reader",
        "open_reader": "reader",
        "open_store": "store",
    },
)
