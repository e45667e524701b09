"""Stores entries of a site's sources that are on other sites. They are never crawled as this site's pages, so that a
source cannot make newscrawl crawl other sites or store their pages under its name.

The newest `KEEP` of a site are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, select

from newscrawl.errors import InvalidUrl
from newscrawl.identity import clean_url, url_key
from newscrawl.model import Candidate
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.sql import chunks, insert
from newscrawl.storage.tables.frontier import mentions

KEEP: Final = 5_000


@dataclass(frozen=True, slots=True)
class Mention:
    """An address on another site, the source that named it first, and the title and date that the source stated."""

    site: str
    url: str
    source: str
    title: str | None
    published: datetime | None
    first_seen: datetime


def record(connection: Connection, site: str, candidates: Iterable[Candidate], now: datetime) -> int:
    """Stores the entries. Stored ones stay as they are. Returns how many have a usable address."""
    rows: dict[str, Values] = {}
    for candidate in candidates:
        try:
            key, url = url_key(candidate.url), clean_url(candidate.url)
        except InvalidUrl:
            continue
        discovery = candidate.discovery
        stated = {"source": discovery.source, "title": discovery.title, "published": discovery.published}
        rows.setdefault(key, {"site": site, "url_key": key, "url": url, "first_seen": now, **stated})
    for chunk in chunks(rows.values()):
        connection.execute(insert(connection, mentions).on_conflict_do_nothing(), chunk)
    if rows:
        _prune(connection, site)
    return len(rows)


def load_site(connection: Connection, site: str, limit: int = 100) -> list[Mention]:
    """Returns the site's newest mentions, newest first."""
    query = select(mentions).where(mentions.c.site == site).order_by(mentions.c.id.desc()).limit(limit)
    names = Mention.__dataclass_fields__
    return [Mention(**{name: getattr(row, name) for name in names}) for row in connection.execute(query)]


def _prune(connection: Connection, site: str) -> None:
    of_this = mentions.c.site == site
    if (connection.execute(select(func.count()).where(of_this)).scalar() or 0) <= KEEP:
        return
    oldest = select(mentions.c.id).where(of_this).order_by(mentions.c.id.desc()).offset(KEEP - 1).limit(1)
    connection.execute(delete(mentions).where(of_this, mentions.c.id < oldest.scalar_subquery()))
