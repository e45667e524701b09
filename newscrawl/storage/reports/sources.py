"""Reports the state of sources: which fail, and the history of one source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from newscrawl.storage.tables.frontier import sources


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """The numbers of a source of a site since it was first seen.

    `failures` counts the latest visits in a row that failed; `failing_since` is the first of them, `failure_kind` the
    reason of the last. The source is not read before `not_before`: it asked for that, or it is paused because reading
    it did harm. `named` counts the addresses in all its answers, `new` those that no source had named before.
    """

    site: str
    url: str
    kind: str
    failures: int
    failure_kind: str | None
    failing_since: datetime | None
    last_status: int | None
    last_fetched: datetime | None
    next_due: datetime | None
    not_before: datetime | None
    watermark: datetime | None
    etag: str | None
    last_modified: str | None
    answers: int
    named: int
    new: int
    unusable: int
    announcement_trust: Mapping[str, Any] | None
    """The trust in the edits that it announces (scheduling.announced_edits.read_trust)."""


def failing_sources(connection: Connection) -> list[SourceStatus]:
    """Returns the sources whose latest visit failed, by site and address."""
    return _statuses(connection, sources.c.failures > 0)


def sources_at(connection: Connection, keys: Sequence[str]) -> Sequence[SourceStatus]:
    """Returns the source at an address with these URL keys, once for each site that reads it."""
    return _statuses(connection, sources.c.url_key.in_(keys))


def _statuses(connection: Connection, which: ColumnElement[bool]) -> list[SourceStatus]:
    names: Any = SourceStatus.__dataclass_fields__
    query = select(*(sources.c[name] for name in names)).where(which).order_by(sources.c.site, sources.c.url)
    return [SourceStatus(**row._asdict()) for row in connection.execute(query)]
