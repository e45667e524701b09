"""The stored facts from which it is decided whether to crawl a site: what is due, counts of its past days, and what an
operator decided about it by commands, which overrides its declaration; and its daily limit of never-fetched addresses.
Pure.

Storage reads these values (newscrawl.storage.frontier.sites, newscrawl.storage.monitoring.hours); `site_selection`
decides.

The limit holds for a site that declares no `daily_requests`: a calendar, a filter or session ids can produce endless
addresses. It is a multiple of the new articles of a usual day of the site. A minimum leaves room for new sites,
backlogs and days with much news.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import ceil
from statistics import median
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


NEW_PAGE_LIMIT_REACHED: Final = "politeness/new_page_limit_reached"
"""Why an announced page is not fetched today: the daily limit of never-fetched addresses is reached."""
MIN_BOUND: Final = 1_000
"""Addresses a day, however few articles the site usually has."""
DAYS: Final = 28
"""The number of past days that are counted."""
MIN_DAYS: Final = 7
"""With fewer usual days than this, the site's usual number of articles is unknown."""
TIMES: Final = 10
"""The limit is this many times the new articles of a usual day."""


@dataclass(slots=True)
class Allowance:
    """How many never-fetched addresses one crawl may still request: `left` of the limit `bound` on `day` (UTC). The
    site's lease keeps other crawls from using it too."""

    day: date
    bound: int
    left: int

    def is_used_up(self, now: datetime) -> bool:
        """Returns whether the limit of today is used up. A new day resets it; a clock that is set back starts no new
        day."""
        today = day_of(now)
        if today > self.day:
            self.day, self.left = today, self.bound
        return self.left <= 0

    def take(self, now: datetime) -> bool:
        """Counts one more address and returns True; returns False if the limit is used up."""
        if self.is_used_up(now):
            return False
        self.left -= 1
        return True


def day_of(now: datetime) -> date:
    """Returns the day (UTC) under which a request at `now` is counted."""
    return now.astimezone(UTC).date()


def usual_day(days: Iterable[SiteDay], today: date) -> float:
    """Returns the usual number of new articles a day: the median of the 28 days before `today` (UTC) without the days
    that have no row and those on which the limit was reached; 0.0 with fewer than seven such days.

    New articles are announced pages whose first visit stored a text that was not known. Days on which the limit was
    reached are left out, because a trap whose pages all have different texts would otherwise raise the limit slowly.
    """
    first = today - timedelta(days=DAYS)
    usual = [row.new_articles for row in days if first <= row.day < today and row.limit_reached is None]
    return float(median(usual)) if len(usual) >= MIN_DAYS else 0.0


def bound_of(days: Iterable[SiteDay], today: date, least: int) -> int:
    """Returns how many never-fetched addresses may be requested today: `least`, or ten times the usual day if more."""
    return max(least, ceil(TIMES * usual_day(days, today)))


def allowance(days: Iterable[SiteDay], now: datetime, least: int) -> Allowance:
    """Returns what may still be requested at `now`. Days after today were written by a wrong clock and are ignored."""
    days, today = list(days), day_of(now)
    bound = bound_of(days, today, least)
    requested = sum(row.new_pages_requested for row in days if row.day == today)
    return Allowance(today, bound, max(0, bound - requested))
