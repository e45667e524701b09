"""The stored facts from which it is decided whether to crawl a site: what is due, counts of its past days, and what an
operator decided about it by commands, which overrides its declaration. Pure.

Storage reads these values (newscrawl.storage.frontier.sites, newscrawl.storage.monitoring.hours); `site_selection` and
`new_page_limit` decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

PRIORITIES: Final[Mapping[str, float]] = {"high": 4.0, "normal": 1.0, "low": 0.25}
"""Names of priorities. A site with priority 4 is chosen as if it had waited four times as long."""


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


@dataclass(frozen=True, slots=True)
class SiteControl:
    """The decisions about a site. None is the declaration's value.

    `paused_until` is when the pause ends by itself. `daily_requests` is a number of requests a day (UTC), as text, or
    "unlimited".
    """

    site: str
    paused: bool = False
    paused_until: datetime | None = None
    priority: float | None = None
    daily_requests: str | None = None

    def is_paused(self, now: datetime) -> bool:
        """Returns whether the site is paused at this time."""
        return self.paused and (self.paused_until is None or now < self.paused_until)
