"""The stored data for the weekly comparison of a site's front page with its sources."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from sqlalchemy import Connection, func, select, update

from newscrawl.identity import url_key
from newscrawl.model import Candidate, Discovery
from newscrawl.storage.tables.articles import articles, pages
from newscrawl.storage.tables.frontier import sites
from newscrawl.storage.tables.operations import alarms, runs

ALARM: Final = "coverage"
"""The kind of its alarms."""

EVERY: Final = timedelta(days=7)
AGAIN: Final = timedelta(days=1)
"""The time to the next comparison after one that found missing articles, or that could not read the front page."""
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


@dataclass(frozen=True, slots=True)
class FrontPageReading:
    """The readings of a site's front page for this comparison. `read_at` is the last one; None if there was none, or if
    it is not known. `due` is the next one; None before the first crawl that plans one."""

    site: str
    read_at: datetime | None
    due: datetime | None


def front_page(connection: Connection, url: str, now: datetime) -> FrontPageReading | None:
    """Returns the readings of the front page at `url`; None if it is no site's. Raises InvalidUrl.

    Only the next reading is stored, `EVERY` after a good one or `AGAIN` after another. So the last one is known while
    the next is further away than `AGAIN`, if the site was crawled then already.
    """
    key = url_key(url)
    rows = connection.execute(select(sites.c.site, sites.c.home).where(sites.c.home.is_not(None))).all()
    site = next((row.site for row in rows if url_key(row.home) == key), None)
    if site is None:
        return None
    due = connection.execute(select(sites.c.coverage_due).where(sites.c.site == site)).scalar()
    begun = connection.execute(select(func.min(runs.c.started)).where(runs.c.site == site)).scalar()
    is_known = due is not None and begun is not None and due - now > AGAIN and due - EVERY >= begun
    return FrontPageReading(site, due - EVERY if is_known and due is not None else None, due)


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
