"""Feeds, sitemaps and sections as people ask about them: which fail, and how one of them has done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from newscrawl.storage.tables.schema import sources


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source of a site in numbers since it was first met.

    `failures` counts the latest visits in a row that failed; `failing_since` is the first of them, `failure_kind` the
    reason of the last. Before `not_before` it is not read: it asked for that, or rests because reading it did harm.
    `named` counts the addresses it named, each answer's anew, `new` those that nobody had named.
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
    """What was learned of the edits that it announces (scheduling.announced_edits.read_trust)."""


def failing_sources(connection: Connection) -> list[SourceStatus]:
    """The sources whose latest visit failed, by site and address."""
    return _statuses(connection, sources.c.failures > 0)


def sources_at(connection: Connection, keys: Sequence[str]) -> Sequence[SourceStatus]:
    """The source at an address with these URL keys, once for each site that reads it."""
    return _statuses(connection, sources.c.url_key.in_(keys))


def _statuses(connection: Connection, which: ColumnElement[bool]) -> list[SourceStatus]:
    names: Any = SourceStatus.__dataclass_fields__
    query = select(*(sources.c[name] for name in names)).where(which).order_by(sources.c.site, sources.c.url)
    return [SourceStatus(**row._asdict()) for row in connection.execute(query)]
