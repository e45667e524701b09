"""How many addresses that were never fetched a site may ask for a day, where it declares no `daily_requests`. Pure.

A calendar, a filter or session ids make addresses without end. A site's usual day of new articles says what it needs,
and a least number leaves room for a new site, a backlog and days of much news.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import ceil
from statistics import median
from typing import Final, Protocol

LEAST: Final = 1_000
"""Addresses a day, however few articles the site usually has."""
DAYS: Final = 28
"""Days of the past that are looked at."""
LEAST_DAYS: Final = 7
"""With fewer usual days nothing is known of the site."""
TIMES: Final = 10
"""A site may ask for so many times its usual day of new articles."""


class CountedDay(Protocol):
    """A day of a site; storage.site_days.SiteDay is one."""

    @property
    def day(self) -> date: ...
    @property
    def asked(self) -> int: ...
    @property
    def articles(self) -> int: ...
    @property
    def bound(self) -> int | None: ...


@dataclass(slots=True)
class Allowance:
    """What one crawl of a site may still ask for: `left` on `day` (UTC) of `bound` a day. The lease sees to it that no
    other crawl of the site goes on."""

    day: date
    bound: int
    left: int

    def is_spent(self, now: datetime) -> bool:
        """Whether nothing is left today; with a new day all of it is there again. A clock set back begins no day."""
        today = day_of(now)
        if today > self.day:
            self.day, self.left = today, self.bound
        return self.left <= 0

    def take(self, now: datetime) -> bool:
        """Whether one more may be asked for, and if so, counts it."""
        if self.is_spent(now):
            return False
        self.left -= 1
        return True


def day_of(now: datetime) -> date:
    """The day (UTC) that counts are kept for."""
    return now.astimezone(UTC).date()


def usual_day(days: Iterable[CountedDay], today: date) -> float:
    """The usual number of new articles a day: the median of the 28 days before `today` (UTC) without those on which
    the site was asked for nothing new and those on which its bound was reached; 0.0 with fewer than seven such days.

    New articles are announced pages whose first visit stored a text that was not known. A day on which the bound was
    reached is not usual: a trap whose pages all have texts of their own would else raise the bound by and by.
    """
    first = today - timedelta(days=DAYS)
    usual = [one.articles for one in days if first <= one.day < today and one.bound is None]
    return float(median(usual)) if len(usual) >= LEAST_DAYS else 0.0


def bound_of(days: Iterable[CountedDay], today: date, least: int) -> int:
    """How many addresses that were never fetched the site may ask for today: `least`, or ten times its usual day."""
    return max(least, ceil(TIMES * usual_day(days, today)))


def allowance(days: Iterable[CountedDay], now: datetime, least: int) -> Allowance:
    """What the site may still ask for at `now`. Days after today are of a clock that was wrong, and say nothing."""
    days, today = list(days), day_of(now)
    bound = bound_of(days, today, least)
    asked = sum(one.asked for one in days if one.day == today)
    return Allowance(today, bound, max(0, bound - asked))
