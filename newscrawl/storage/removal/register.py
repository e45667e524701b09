"""The register of what was forgotten: when, how much, by whom and why. It holds no address of a forgotten page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import Connection, Select, func, insert, or_, select

from newscrawl.storage.engine.sql import RowMapping
from newscrawl.storage.tables.changes import REASON_LIMIT, forgotten

MAX_REASON: Final = REASON_LIMIT
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class ForgetCause:
    """The person who asked to forget something, and the reason; None if they were not given."""

    who: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ForgottenEntry:
    """One page or site that was forgotten, with the numbers of pages and articles that went. `site` is None if nothing
    of the page was stored."""

    at: datetime
    kind: Literal["page", "site"]
    site: str | None
    pages: int
    articles: int
    on_blocklist: bool
    who: str | None
    reason: str | None


_ENTRY: Final = RowMapping(ForgottenEntry)


def record(connection: Connection, entry: ForgottenEntry) -> None:
    """Adds an entry."""
    connection.execute(insert(forgotten).values(_ENTRY.values(entry)))


def latest(connection: Connection, size: int) -> Sequence[ForgottenEntry]:
    """Returns the newest entries, the newest first; at most `size`."""
    rows = connection.execute(_entries().order_by(forgotten.c.id.desc()).limit(size))
    return list(map(_ENTRY.read, rows))


def everything(connection: Connection) -> set[ForgottenEntry]:
    """Returns all entries."""
    return set(map(_ENTRY.read, connection.execute(_entries())))


def _entries() -> Select[Any]:
    """The entries; the other rows are requests to machines (newscrawl.storage.captures.archive_files)."""
    query = select(*(forgotten.c[name] for name in _ENTRY.columns))
    return query.where(or_(forgotten.c.pages > 0, forgotten.c.on_blocklist))


def last_removal(connection: Connection, site: str | None = None) -> datetime | None:
    """Returns when a stored page was forgotten last, of the site or of any; None if none was."""
    query = select(func.max(forgotten.c.at)).where(forgotten.c.pages > 0)
    if site is not None:
        query = query.where(forgotten.c.site == site)
    return connection.execute(query).scalar()
