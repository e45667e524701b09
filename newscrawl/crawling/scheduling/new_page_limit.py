"""Limits how many never-fetched addresses of a site are requested a day, if it declares no `daily_requests`. Pure.

A calendar, a filter or session ids can produce endless addresses. The limit is a multiple of the new articles of a
usual day of the site. A minimum leaves room for new sites, backlogs and days with much news.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import ceil
from statistics import median
from typing import Final

from newscrawl.crawling.scheduling.site_state import SiteDay

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
