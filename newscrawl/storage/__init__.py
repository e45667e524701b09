"""The database: what is stored of pages and articles, and every way to change or read it. Nothing outside knows SQL."""

from __future__ import annotations

from newscrawl.storage.engine.database import Reader
from newscrawl.storage.records import DuePage, Event, Outcome, PageRow, SourceAnswer, SourceRow
from newscrawl.storage.store import Store, open_reader, open_store

__all__ = [
    "DuePage",
    "Event",
    "Outcome",
    "PageRow",
    "Reader",
    "SourceAnswer",
    "SourceRow",
    "Store",
    "open_reader",
    "open_store",
]
