"""Which sources named an address, when, and with which title and date. The first `KEEP` sources of an address are kept.

A sighting belongs to the address as the source wrote it (its URL key), so it stays true whatever page the address turns
out to lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, select

from newscrawl.model import Discovery
from newscrawl.storage.lookup import chunks
from newscrawl.storage.rows import Values
from newscrawl.storage.schema import sightings, sources
from newscrawl.storage.upsert import insert

KEEP: Final = 8
"""A page is named by a feed or two, a news sitemap, the front page and a few sections."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """That a source named an address: the first time it did, and what it said then."""

    url_key: str
    source: str
    kind: str
    at: datetime
    title: str | None
    published: datetime | None


def record(connection: Connection, source_id: int, named: Mapping[str, Discovery], now: datetime) -> None:
    """Notes that the source named these URL keys, where that is not noted yet."""
    for keys in chunks(named):
        rows: list[Values] = []
        seen = _sources_of(connection, keys)
        for key in keys:
            known = seen.get(key, set())
            if source_id not in known and len(known) < KEEP:
                told = named[key]
                said = {"title": told.title, "published": told.published}
                rows.append({"url_key": key, "source_id": source_id, "at": now, **said})
        if rows:
            connection.execute(insert(connection, sightings).on_conflict_do_nothing(), rows)


def of_urls(connection: Connection, keys: Iterable[str]) -> list[Sighting]:
    """The sightings of the URL keys, oldest first."""
    found: list[Sighting] = []
    query = select(sightings, sources.c.url, sources.c.kind).join(sources)
    for chunk in chunks(sorted(set(keys))):
        rows: Iterable[Any] = connection.execute(query.where(sightings.c.url_key.in_(chunk)))
        found += [Sighting(row.url_key, row.url, row.kind, row.at, row.title, row.published) for row in rows]
    return sorted(found, key=lambda sighting: (sighting.at, sighting.source))


def _sources_of(connection: Connection, keys: list[str]) -> dict[str, set[int]]:
    seen: dict[str, set[int]] = {}
    query = select(sightings.c.url_key, sightings.c.source_id).where(sightings.c.url_key.in_(keys))
    for key, source_id in connection.execute(query):
        seen.setdefault(key, set()).add(source_id)
    return seen
