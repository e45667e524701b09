"""The consumers of the change feed: how far each has read, and what its receiver refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from sqlalchemy import Connection

from newscrawl.storage.feed import changes
from newscrawl.storage.feed import consumers as stored


@dataclass(frozen=True, slots=True)
class Consumer:
    """A consumer of the change feed. `behind` is the number of changes that it has not read, `refused` that of the
    changes that its receiver refused; `last_error` is the newest reason for that."""

    name: str
    seq: int
    behind: int
    updated: datetime
    filters: str | None
    refused: int
    last_error: str | None


def consumers(connection: Connection) -> Sequence[Consumer]:
    """Returns all consumers of the change feed by name. Names and errors may have secrets."""
    newest = changes.newest(connection)
    by_name = groupby(stored.refused(connection), key=attrgetter("consumer"))
    refused = {name: list(some) for name, some in by_name}
    found = []
    for cursor in stored.everybody(connection):
        own = refused.get(cursor.consumer, [])
        last_error = max(own, key=attrgetter("at")).reason if own else None
        behind, name = max(0, newest - cursor.seq), cursor.consumer
        found.append(Consumer(name, cursor.seq, behind, cursor.updated, cursor.filters, len(own), last_error))
    return found
