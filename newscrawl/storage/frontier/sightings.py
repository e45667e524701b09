"""Sightings: which sources named an address, when, and with which title and date, at first and last. The first `KEEP`
sources of an address are kept.

A sighting belongs to the address as the source wrote it (its URL key), so it stays valid whatever page the address
leads to.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, literal_column, select

from newscrawl.edit_signals import NotedEntry, Signal, latest_date
from newscrawl.model import Discovery
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.sql import chunks, upsert
from newscrawl.storage.tables.frontier import sightings, sources

KEEP: Final = 8
"""Sources of an address. Most are named by a feed or two, a news sitemap, the front page and a few sections."""

_COLUMNS: Final = ("latest_title", "latest_date", "listed", "announced", "signal")
"""The columns that change with every reading."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reading compared with the previous one: the stored values of its entries, the entries that are `missing`, and
    the new `signals` by URL key."""

    noted: Mapping[str, NotedEntry] = field(default_factory=dict)
    missing: Mapping[str, NotedEntry] = field(default_factory=dict)
    signals: Mapping[str, Signal] = field(default_factory=dict)
    updates: bool = True
    """Whether to update the entries that were stored before."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """The first time that a source named an address, with the title and date that it stated."""

    url_key: str
    source: str
    kind: str
    at: datetime
    title: str | None
    published: datetime | None


def noted(connection: Connection, source_id: int, keys: Iterable[str]) -> dict[str, NotedEntry]:
    """Returns the stored values of these URL keys, for those that the source has named before."""
    entries: dict[str, NotedEntry] = {}
    for chunk in chunks(keys):
        rows = connection.execute(_of_source(source_id).where(sightings.c.url_key.in_(chunk)))
        entries |= {row.url_key: _noted(row) for row in rows}
    return entries


def missing(connection: Connection, source_id: int, keys: Container[str]) -> dict[str, NotedEntry]:
    """Returns the entries that the source listed at its previous reading, without these URL keys."""
    # Written out, so that the planner sees the condition of the partial index.
    is_listed: ColumnElement[bool] = literal_column("listed")
    query = select(sightings.c.url_key).where(sightings.c.source_id == source_id, is_listed)
    before = connection.execute(query).scalars()
    return noted(connection, source_id, [key for key in before if key not in keys])


def record(
    connection: Connection, source_id: int, named: Mapping[str, Discovery], now: datetime, review: Review
) -> None:
    """Stores that the source named these URL keys, with what changed since it last did so (`review`)."""
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
                after = _latest(NotedEntry(), discovery := named[key], now, review.signals.get(key))
                rows.append(
                    _row(key, source_id, now, after) | {"title": discovery.title, "published": discovery.published}
                )
    upsert(connection, sightings, ["url_key", "source_id"], rows, dict.fromkeys(_COLUMNS, _incoming))


def load_urls(connection: Connection, keys: Iterable[str]) -> list[Sighting]:
    """Returns the sightings of the URL keys, oldest first."""
    of_keys: list[Sighting] = []
    query = select(sightings, sources.c.url, sources.c.kind).join(sources)
    for chunk in chunks(sorted(set(keys))):
        rows: Iterable[Any] = connection.execute(query.where(sightings.c.url_key.in_(chunk)))
        of_keys += [Sighting(row.url_key, row.url, row.kind, row.at, row.title, row.published) for row in rows]
    return sorted(of_keys, key=lambda sighting: (sighting.at, sighting.source))


def _of_source(source_id: int) -> Select[Any]:
    columns = [sightings.c[name] for name in ("url_key", *_COLUMNS)]
    return select(*columns).where(sightings.c.source_id == source_id)


def _noted(row: Any) -> NotedEntry:
    return NotedEntry(row.latest_title, row.latest_date, row.listed, row.announced, row.signal)


def _latest(before: NotedEntry, discovery: Discovery | None, now: datetime, signal: Signal | None) -> NotedEntry:
    """Returns the values of an entry after a reading; `discovery` is None if the entry was missing. A title or date
    that is not stated this time stays, and so does an older date."""
    after = replace(before, listed=discovery is not None)
    if discovery is not None:
        date = latest_date(discovery.published, discovery.modified, now)
        dates = [when for when in (before.date, date) if when is not None]
        after = replace(after, title=discovery.title or before.title, date=max(dates, default=None))
    return after if signal is None else replace(after, announced=now, signal=signal)


def _row(key: str, source_id: int, now: datetime, entry: NotedEntry) -> Values:
    """Returns a row. The first title and date are written only with the first row."""
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
