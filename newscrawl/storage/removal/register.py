"""The register of what was forgotten: when, how much, by whom and why. It holds no address of a forgotten page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection, insert, select

from newscrawl.storage.tables.changes import forgotten

MAX_REASON: Final = 500
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class ForgetCause:
    """Who asked to forget something, and why; None if nobody said it."""

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


def record(connection: Connection, entry: ForgottenEntry) -> None:
    """Adds an entry."""
    row = {name: getattr(entry, name) for name in ForgottenEntry.__slots__}
    row["reason"] = entry.reason[:MAX_REASON] if entry.reason else None
    connection.execute(insert(forgotten).values(row))


def latest(connection: Connection, size: int) -> Sequence[ForgottenEntry]:
    """Returns the newest entries, the newest first; at most `size`."""
    columns = [forgotten.c[name] for name in ForgottenEntry.__slots__]
    rows = connection.execute(select(*columns).order_by(forgotten.c.id.desc()).limit(size))
    return [ForgottenEntry(*row) for row in rows]
