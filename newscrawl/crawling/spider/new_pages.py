"""One crawl's share of the addresses that its site may ask for today and that were never fetched before.

The bound holds where a site declares no `daily_requests` (newscrawl.scheduling.new_pages). Sources, robots.txt, visits
of known pages and retries are not marked, so they do not count and are never stopped.
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
"""Pages taken up beyond the allowance: some are not the site's any more, or older than the crawl wants."""
REASON: Final = "as many addresses as a day may have were asked for today that had never been fetched"


@dataclass(slots=True)
class NewPages:
    """One crawl's. Without an allowance nothing is bounded; `is_told` once the crawl has told that it is spent."""

    allowance: Allowance | None = None
    is_known: bool = False
    is_told: bool = False

    def learn(self, found: Allowance | None) -> None:
        """What storage says when the crawl first asks."""
        self.allowance, self.is_known = found, True

    def most_wanted(self, now: datetime) -> int | None:
        """How many pages that were never fetched are worth taking up now; None without a bound."""
        if self.allowance is None:
            return None
        return 0 if self.allowance.is_spent(now) else self.allowance.left + SPARE

    def watch(self, request: Request) -> None:
        """The request is for a page that was never fetched."""
        request.meta[MARK] = True

    def refuses(self, request: Request, now: datetime) -> bool:
        """Whether the request has to wait for another day."""
        return MARK in request.meta and self.allowance is not None and self.allowance.is_spent(now)

    def take(self, request: Request, now: datetime) -> bool:
        """The request is sent now; whether it counts. A request that is sent again, or redirected, counts once."""
        if not request.meta.pop(MARK, False):
            return False
        if self.allowance is not None:
            self.allowance.take(now)
        return True


def new_pages_of(spider: Any) -> NewPages | None:
    """Those of the spider's crawl; None for a spider without sources and pages."""
    found = getattr(spider, "new_pages", None)
    return found if isinstance(found, NewPages) else None


def begin(connection: Any, name: str, least: int | None, now: datetime) -> Allowance | None:
    """A storage operation: what the site may still ask for today; None where `least` says that nothing is bounded.

    An alarm ends when the bound does not hold any more, or was reached neither today nor yesterday.
    """
    site_days.tidy(connection, name, now)
    days = site_days.of_site(connection, name)
    found = allowance(days, now, least) if least is not None else None
    if found is None or found.left:
        site_days.lift(connection, name, now)  # where the bound was raised or taken away since
    yesterday = day_of(now) - timedelta(days=1)
    lately = any(one.bound is not None for one in days if one.day >= yesterday)
    if found is None or (found.left and not lately):
        _end_alarm(connection, name, now)
    return found


def tell(connection: Any, name: str, bound: int, now: datetime) -> Alarm | None:
    """A storage operation: the site has asked for `bound` addresses today, and others wait. Returns the alarm when it
    was opened: at most once a day."""
    is_first = site_days.reach(connection, name, bound, now)
    message = _said(connection, name, bound, now)
    known = _open_alarm(connection, name)
    if known is not None and known.id is not None:
        alarms.grow(connection, known.id, known.severity, message, {"bound": bound})
    elif is_first:
        return alarms.begin(connection, Alarm(name, ALARM, "warning", now, now, message, {"bound": bound}))
    return None


def _said(connection: Any, name: str, bound: int, now: datetime) -> str:
    usual = usual_day(site_days.of_site(connection, name), day_of(now))
    usually = f"its usual day has {usual:g} new articles" if usual else "its usual day is not known yet"
    is_site = not name.startswith(f"{GENERIC_SITE}:")
    wait = counted(site_days.waiting(connection, name), "page waits", "pages wait") if is_site else "others wait"
    return (
        f"the {counted(bound, 'address', 'addresses')} of {day_of(now)} (UTC) never fetched before are spent, as many "
        f"as a day may have ({usually}): {wait}, the newest go first; calendars and session ids are usual causes; "
        'daily_requests = "unlimited" in the declaration lifts the bound'
    )


def _open_alarm(connection: Any, name: str) -> Alarm | None:
    return next((one for one in alarms.open_alarms(connection, name) if one.kind == ALARM), None)


def _end_alarm(connection: Any, name: str, now: datetime) -> None:
    known = _open_alarm(connection, name)
    if known is not None and known.id is not None:
        alarms.end(connection, known.id, now)
        logger.warning("alarm over: %s: %s", name, known.message)
