"""The stored data for the weekly comparison of a site's front page with its sources."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from sqlalchemy import Connection, select, update

from newscrawl.model import Candidate, Discovery
from newscrawl.storage.tables.articles import articles, pages
from newscrawl.storage.tables.frontier import sites
from newscrawl.storage.tables.operations import alarms

ALARM: Final = "coverage"
"""The kind of its alarms."""

EVERY: Final = timedelta(days=7)
MAX_NAMED: Final = 2_000
"""The most pages of a site that are compared, the newest first. A front page and a news sitemap together list fewer."""

ACCEPTED: Final = "accepted"
_NAMING: Final = ("feed", "sitemap", "section")


def is_due(connection: Connection, site: str, now: datetime) -> bool:
    """Returns whether the site's comparison is due. The first one of each site is spread over the first week."""
    due = connection.execute(select(sites.c.coverage_due).where(sites.c.site == site)).scalar()
    if due is None:
        digest = blake2b(site.encode(), digest_size=2).digest()
        plan(connection, site, now + EVERY * (int.from_bytes(digest) / 65_536))
        return False
    return bool(due <= now)


def plan(connection: Connection, site: str, due: datetime) -> None:
    """Stores when the next comparison is due."""
    connection.execute(update(sites).where(sites.c.site == site).values(coverage_due=due))


def named(connection: Connection, site: str) -> tuple[list[Candidate], set[str]]:
    """Returns the newest pages that sources have named, and the languages of the articles among them."""
    query = (
        select(pages, articles.c.language)
        .select_from(pages.outerjoin(articles))
        .where((pages.c.site == site) & pages.c.discovery_kind.in_(_NAMING))
        .order_by(pages.c.id.desc())
        .limit(MAX_NAMED)
    )
    candidates: list[Candidate] = []
    languages: set[str] = set()
    for row in connection.execute(query):
        discovery = Discovery(row.discovery_kind, row.discovery_source, row.discovery_title, row.discovery_published)
        candidates.append(Candidate(row.url, discovery))
        languages |= {row.language} if row.language else set()
    return candidates, languages


def accepted(connection: Connection, site: str) -> int:
    """Returns how many missing articles the operator accepted with the last alarm of this kind."""
    query = select(alarms.c.details).where((alarms.c.site == site) & (alarms.c.kind == ALARM))
    details = connection.execute(query.order_by(alarms.c.id.desc()).limit(1)).scalar()
    return int((details or {}).get(ACCEPTED, 0))
