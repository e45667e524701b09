"""Applies the daily limit of never-fetched addresses of a site to one crawl.

The limit holds if a site declares no `daily_requests` (newscrawl.scheduling.new_pages). Sources, robots.txt, visits of
known pages and retries are not marked, so they do not count and are never refused.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from scrapy import Request

from newscrawl.scheduling.new_pages import Allowance, allowance, day_of, usual_day
from newscrawl.storage.frontier import site_days
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.wording import counted

logger = logging.getLogger(__name__)

MARK: Final = "newscrawl_new_page"
ALARM: Final = "new_pages"
"""The kind of alarm."""
SPARE: Final = 500
"""Pages read from storage beyond the allowance, because some no longer belong to the site or are too old."""
REASON: Final = "today's limit of addresses never fetched before is reached"


@dataclass(slots=True)
class NewPages:
    """The limit for one crawl; none without an allowance. `is_told` is set once the crawl has reported that it is
    reached."""

    allowance: Allowance | None = None
    is_known: bool = False
    is_told: bool = False

    def learn(self, allowance: Allowance | None) -> None:
        """Sets the allowance that was read from storage."""
        self.allowance, self.is_known = allowance, True

    def most_wanted(self, now: datetime) -> int | None:
        """Returns how many never-fetched pages to read from storage now; None without a limit."""
        if self.allowance is None:
            return None
        return 0 if self.allowance.is_spent(now) else self.allowance.left + SPARE

    def watch(self, request: Request) -> None:
        """Marks the request as one for a page that was never fetched."""
        request.meta[MARK] = True

    def refuses(self, request: Request, now: datetime) -> bool:
        """Returns whether the request has to wait for another day."""
        return MARK in request.meta and self.allowance is not None and self.allowance.is_spent(now)

    def take(self, request: Request, now: datetime) -> bool:
        """Notes that the request is sent now. Returns whether it counts: a repeated or redirected request counts
        once."""
        if not request.meta.pop(MARK, False):
            return False
        if self.allowance is not None:
            self.allowance.take(now)
        return True


def new_pages_of(spider: Any) -> NewPages | None:
    """Returns the limit of the spider's crawl; None for a spider without sources and pages."""
    limit = getattr(spider, "new_pages", None)
    return limit if isinstance(limit, NewPages) else None


def begin(connection: Any, name: str, least: int | None, now: datetime) -> Allowance | None:
    """A storage operation: returns how many never-fetched addresses the site may still request today; None without a
    limit (`least` is None).

    The alarm ends if the limit is no longer reached, or was reached neither today nor yesterday.
    """
    site_days.tidy(connection, name, now)
    days = site_days.of_site(connection, name)
    left_today = allowance(days, now, least) if least is not None else None
    if left_today is None or left_today.left:
        site_days.lift(connection, name, now)  # the limit was raised or removed
    yesterday = day_of(now) - timedelta(days=1)
    lately = any(day.limit_reached is not None for day in days if day.day >= yesterday)
    if left_today is None or (left_today.left and not lately):
        _end_alarm(connection, name, now)
    return left_today


def tell(connection: Any, name: str, bound: int, now: datetime) -> Alarm | None:
    """A storage operation: notes that the site has requested `bound` addresses today and others wait. Returns the alarm
    if it was opened now, at most once a day, else None."""
    is_first = site_days.reach(connection, name, bound, now)
    message = _message(connection, name, bound, now)
    known = alarms.open_alarm(connection, name, ALARM)
    if known is not None and known.id is not None:
        alarms.grow(connection, known.id, known.severity, message, {"bound": bound})
    elif is_first:
        return alarms.begin(connection, Alarm(name, ALARM, "warning", now, now, message, {"bound": bound}))
    return None


def _message(connection: Any, name: str, bound: int, now: datetime) -> str:
    usual = usual_day(site_days.of_site(connection, name), day_of(now))
    usually = f"its usual day has {usual:g} new articles" if usual else "its usual day is not known yet"
    is_site = not name.startswith(f"{GENERIC_SITE}:")
    wait = counted(site_days.waiting(connection, name), "page waits", "pages wait") if is_site else "others wait"
    return (
        f"the limit of {counted(bound, 'address', 'addresses')} never fetched before is reached for {day_of(now)} "
        f"(UTC) ({usually}); {wait}, and the newest will be fetched first; usual causes are calendars and session ids; "
        'daily_requests = "unlimited" in the declaration removes the limit'
    )


def _end_alarm(connection: Any, name: str, now: datetime) -> None:
    known = alarms.open_alarm(connection, name, ALARM)
    if known is not None and known.id is not None:
        alarms.end(connection, known.id, now)
        logger.warning("alarm over: %s: %s", name, known.message)
