"""Checks a standing search and saves it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from newscrawl.errors import UsageError
from newscrawl.publishing.deliver.places import check_place
from newscrawl.publishing.search.query_execution import query_of
from newscrawl.storage.feed import standing_searches
from newscrawl.storage.reader import Database

MAX_QUERY = 1_000
"""Characters of a query that can be saved."""
MAX_NAME = 100


def save(store: Database, name: str, query: str, places: Sequence[str], digest_hours: int, now: datetime) -> None:
    """Saves a search, which finds what is stored from now on. Raises UsageError for a query or a place that cannot be
    used, and for a name that is in use, and StorageError."""
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise UsageError(f"--save: a name has 1 to {MAX_NAME} printable characters")
    if name.startswith("-"):
        raise UsageError(f"--save: {name!r} is no name but an option: write --save NAME QUERY")
    parsed = query_of(query, now)
    if len(query) > MAX_QUERY or parsed.cut:
        raise UsageError(f"--save: a saved query has at most {MAX_QUERY:,} characters and 32 words")
    if parsed.filters.since is not None:
        raise UsageError("--save: a saved query finds what is stored from now on: leave out since:")
    checked = [check_place(place) for place in places]
    if not store.run(standing_searches.save, name, query, checked, digest_hours, now).result():
        raise UsageError(f"--save: the name {name!r} is in use: `newscrawl search --remove` removes that search")
