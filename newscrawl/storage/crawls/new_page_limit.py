"""The number that is left today of a site's limit of never-fetched addresses, and the alarm that the limit is reached.

How the limit is made of a site's days is in newscrawl.scheduling.new_page_limit. `name` is the name of the crawl's
lease.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, select

from newscrawl.scheduling.new_page_limit import Allowance, allowance, day_of, usual_day
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import alarms, hours
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.storage.tables.articles import pages
from newscrawl.wording import counted

logger = logging.getLogger(__name__)

ALARM: Final = "new_pages"
"""The kind of the alarm."""


def begin(connection: Connection, name: str, least: int | None, now: datetime) -> Allowance | None:
    """Returns how many never-fetched addresses the site may still request today; None without a limit (`least` is
    None, or a command set a budget in place of it).

    The alarm ends if the limit is no longer reached, or was reached neither today nor yesterday.
    """
    control = sites.control(connection, name)
    if control is not None and control.daily_requests is not None:
        least = None
    days = hours.days_of(connection, name, now)
    left_today = allowance(days, now, least) if least is not None else None
    if left_today is None or left_today.left:
        hours.lift(connection, name, now)  # the limit was raised or removed
    yesterday = day_of(now) - timedelta(days=1)
    lately = any(day.limit_reached is not None for day in days if day.day >= yesterday)
    if left_today is None or (left_today.left and not lately):
        _end_alarm(connection, name, now)
    return left_today


def note_reached(connection: Connection, name: str, bound: int, now: datetime) -> Alarm | None:
    """Notes that the site has requested `bound` addresses today and others wait. Returns the alarm if it was opened
    now, at most once a day, else None."""
    is_first = hours.reach(connection, name, bound, now)
    message = _message(connection, name, bound, now)
    known = alarms.open_alarm(connection, name, ALARM)
    if known is not None and known.id is not None:
        alarms.grow(connection, known.id, known.severity, message, {"bound": bound})
    elif is_first:
        return alarms.begin(connection, Alarm(name, ALARM, "warning", now, now, message, {"bound": bound}))
    return None


def _message(connection: Connection, name: str, bound: int, now: datetime) -> str:
    usual = usual_day(hours.days_of(connection, name, now), day_of(now))
    usually = f"its usual day has {usual:g} new articles" if usual else "its usual day is not known yet"
    is_site = not name.startswith(f"{GENERIC_SITE}:")
    waiting = select(func.count()).where(pages.c.site == name, pages.c.state == "found")
    number = connection.execute(waiting).scalar_one()
    wait = counted(number, "page waits", "pages wait") if is_site else "others wait"
    return (
        f"the limit of {counted(bound, 'address', 'addresses')} never fetched before is reached for {day_of(now)} "
        f"(UTC) ({usually}); {wait}, and the newest will be fetched first; usual causes are calendars and session ids; "
        'daily_requests = "unlimited" in the declaration removes the limit'
    )


def _end_alarm(connection: Connection, name: str, now: datetime) -> None:
    known = alarms.open_alarm(connection, name, ALARM)
    if known is not None and known.id is not None:
        alarms.end(connection, known.id, now)
        logger.warning("alarm over: %s: %s", name, known.message)
