"""Which sources named an address, when, and with which title and date, at first and the last time. The first `KEEP`
sources of an address are kept.

A sighting belongs to the address as the source wrote it (its URL key), so it stays true whatever page the address turns
out to lead to.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, literal_column, select

from newscrawl.edit_signals import NotedEntry, Signal, latest_date
from newscrawl.model import Discovery
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.tables.schema import sightings, sources

KEEP: Final = 8
"""A page is named by a feed or two, a news sitemap, the front page and a few sections."""

_COLUMNS: Final = ("latest_title", "latest_date", "listed", "announced", "signal")
"""What changes with every reading."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reading beside what the source said before: what is noted of the entries that it names, those that are
    `missing`, and the new `signals` by URL key."""

    noted: Mapping[str, NotedEntry] = field(default_factory=dict)
    missing: Mapping[str, NotedEntry] = field(default_factory=dict)
    signals: Mapping[str, Signal] = field(default_factory=dict)
    updates: bool = True
    """Whether to note what entries say now that were noted before."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """That a source named an address: the first time it did, and what it said then."""

    url_key: str
    source: str
    kind: str
    at: datetime
    title: str | None
    published: datetime | None


def noted(connection: Connection, source_id: int, keys: Iterable[str]) -> dict[str, NotedEntry]:
    """What the source said of these URL keys when it was read before, of those that it named then."""
    found: dict[str, NotedEntry] = {}
    for chunk in chunks(keys):
        rows = connection.execute(_of_source(source_id).where(sightings.c.url_key.in_(chunk)))
        found |= {row.url_key: _noted(row) for row in rows}
    return found


def missing(connection: Connection, source_id: int, keys: Container[str]) -> dict[str, NotedEntry]:
    """What the source listed at its previous reading, without these URL keys."""
    # Written out, so that the planner sees the condition of the partial index.
    is_listed: ColumnElement[bool] = literal_column("listed")
    query = select(sightings.c.url_key).where(sightings.c.source_id == source_id, is_listed)
    before = connection.execute(query).scalars()
    return noted(connection, source_id, [key for key in before if key not in keys])


def record(
    connection: Connection, source_id: int, named: Mapping[str, Discovery], now: datetime, review: Review
) -> None:
    """Notes that the source named these URL keys, and what is new since it did so before (`review`)."""
    rows: list[Values] = []
    for key, before in review.noted.items() if review.updates else ():
        after = _latest(before, named[key], now, review.signals.get(key))
        if after != before:
            rows.append(_row(key, source_id, now, after))
    for key, before in review.missing.items():
        rows.append(_row(key, source_id, now, _latest(before, None, now, review.signals.get(key))))
    for keys in chunks(key for key in named if key not in review.noted):
        seen = _sources_of(connection, keys)
        for key in keys:
            if len(seen.get(key, ())) < KEEP:
                after = _latest(NotedEntry(), told := named[key], now, review.signals.get(key))
                rows.append(_row(key, source_id, now, after) | {"title": told.title, "published": told.published})
    upsert(connection, sightings, ["url_key", "source_id"], rows, dict.fromkeys(_COLUMNS, _incoming))


def of_urls(connection: Connection, keys: Iterable[str]) -> list[Sighting]:
    """The sightings of the URL keys, oldest first."""
    found: list[Sighting] = []
    query = select(sightings, sources.c.url, sources.c.kind).join(sources)
    for chunk in chunks(sorted(set(keys))):
        rows: Iterable[Any] = connection.execute(query.where(sightings.c.url_key.in_(chunk)))
        found += [Sighting(row.url_key, row.url, row.kind, row.at, row.title, row.published) for row in rows]
    return sorted(found, key=lambda sighting: (sighting.at, sighting.source))


def _of_source(source_id: int) -> Select[Any]:
    columns = [sightings.c[name] for name in ("url_key", *_COLUMNS)]
    return select(*columns).where(sightings.c.source_id == source_id)


def _noted(row: Any) -> NotedEntry:
    return NotedEntry(row.latest_title, row.latest_date, row.listed, row.announced, row.signal)


def _latest(before: NotedEntry, told: Discovery | None, now: datetime, signal: Signal | None) -> NotedEntry:
    """What is noted of an entry after a reading, in which it was missing if `told` is None. A title or date that it
    lacks this time stays, an older date too."""
    after = replace(before, listed=told is not None)
    if told is not None:
        date = latest_date(told.published, told.modified, now)
        dates = [one for one in (before.date, date) if one is not None]
        after = replace(after, title=told.title or before.title, date=max(dates, default=None))
    return after if signal is None else replace(after, announced=now, signal=signal)


def _row(key: str, source_id: int, now: datetime, entry: NotedEntry) -> Values:
    """A row; what the source said the first time is written with the first row alone."""
    first: Values = {"url_key": key, "source_id": source_id, "at": now, "title": None, "published": None}
    latest = {"latest_title": entry.title, "latest_date": entry.date, "listed": entry.listed}
    return {**first, **latest, "announced": entry.announced, "signal": entry.signal}


def _incoming(_stored: object, incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return incoming


def _sources_of(connection: Connection, keys: list[str]) -> dict[str, set[int]]:
    seen: dict[str, set[int]] = {}
    query = select(sightings.c.url_key, sightings.c.source_id).where(sightings.c.url_key.in_(keys))
    for key, source_id in connection.execute(query):
        seen.setdefault(key, set()).add(source_id)
    return seen
