"""The screen of consumers: how far each reader of the change feed is, and what it refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from newscrawl.identity.masking import masked
from newscrawl.storage import Connection
from newscrawl.storage.feed import changes, cursors, refused_changes
from newscrawl.web.screens.screen import Context, NoParameters, Screen


@dataclass(frozen=True, slots=True)
class ConsumerLine:
    """A consumer of the change feed. `behind` is the number of changes that it has not read, `refused` that of the
    changes that its receiver refused; `last_error` is the newest reason for that."""

    name: str
    seq: int
    behind: int
    updated: datetime
    filters: str | None
    refused: int
    last_error: str | None


@dataclass(frozen=True, slots=True)
class ConsumersScreen:
    """All consumers of the change feed; `newest` is the number of its last change."""

    newest: int
    consumers: Sequence[ConsumerLine]


def load(connection: Connection, _query: NoParameters, _context: Context) -> ConsumersScreen:
    """Returns all consumers by name."""
    newest = changes.newest(connection)
    refused = {
        name: list(some) for name, some in groupby(refused_changes.load(connection), key=lambda change: change.consumer)
    }
    lines = []
    for cursor in cursors.everybody(connection):
        own = refused.get(cursor.consumer, [])
        lines.append(
            ConsumerLine(
                name=masked(cursor.consumer),
                seq=cursor.seq,
                behind=max(0, newest - cursor.seq),
                updated=cursor.updated,
                filters=cursor.filters,
                refused=len(own),
                last_error=masked(max(own, key=lambda change: change.at).reason) if own else None,
            )
        )
    return ConsumersScreen(newest, tuple(lines))


SCREEN = Screen("consumers", "/consumers", "Consumers", NoParameters, ConsumersScreen, load)
