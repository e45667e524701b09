"""The stored facts from which it is decided whether to crawl a site: what is due, and counts of its past days.

Storage reads these values (newscrawl.storage.frontier.sites, newscrawl.storage.monitoring.hours); `site_selection` and
`new_page_limit` decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class SiteDue:
    """A site with something due. `sources`, `pages` and `found` count due sources, due revisits and announced pages.
    `rate` is how many new entries an hour its busiest due source is expected to have; `overdue_since` is when the
    first of them became due; `requests_today` counts since midnight UTC. `bound_reached` is today's limit of
    never-fetched addresses if it is reached, else None."""

    site: str
    sources: int = 0
    pages: int = 0
    found: int = 0
    rate: float = 0.0
    overdue_since: datetime | None = None
    last_started: datetime | None = None
    last_finished: datetime | None = None
    requests_today: int = 0
    leased: bool = False
    bound_reached: int | None = None


@dataclass(frozen=True, slots=True)
class SiteDay:
    """One day (UTC) of a site. `new_pages_requested` counts addresses that were never fetched before; `limit_reached`
    is the day's limit of them if it was reached, else None."""

    name: str
    day: date
    new_pages_requested: int = 0
    new_articles: int = 0
    limit_reached: int | None = None
