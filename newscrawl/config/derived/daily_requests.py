"""What `daily_requests` says of a site, in its declaration or over it in NEWSCRAWL_SITE_SCHEDULES.

A number is the most requests a day that `newscrawl run` makes. Without one, a site has a bound on addresses that were
never fetched (newscrawl.scheduling.new_pages). "unlimited" is neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from newscrawl.config.catalogue import Config
from newscrawl.errors import UsageError

UNLIMITED: Final = "unlimited"
DailyRequests = int | Literal["unlimited"]


def checked(site: str, value: Any) -> DailyRequests | None:
    """Returns the value of `daily_requests`, None where there is none; raises UsageError, naming the site."""
    if value is None or value == UNLIMITED:
        return None if value is None else UNLIMITED
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(
            f'site {site!r}: daily_requests is {value!r}, write a whole number from 0 on, or "{UNLIMITED}"'
        )
    return value


def read(site: str, text: str) -> DailyRequests | None:
    """Returns the value that a list of sites writes, None for an empty cell; raises UsageError, naming the site."""
    if not text:
        return None
    return checked(site, int(text) if text.isascii() and text.isdigit() else text)


def declared_of(site: str, declared: Any, schedules: Mapping[str, Any]) -> DailyRequests | None:
    """Returns what holds for a site whose declaration says `declared`, where `schedules` (NEWSCRAWL_SITE_SCHEDULES) say
    nothing else; raises UsageError, naming the site."""
    over = schedules.get(site)
    if isinstance(over, Mapping) and "daily_requests" in over:
        declared = over["daily_requests"]
    return checked(site, declared)


def budget_of(declared: DailyRequests | None) -> int | None:
    """Returns the most requests a day; None is no limit."""
    return None if declared == UNLIMITED or declared is None else int(declared)


def least_new_pages(declared: DailyRequests | None, config: Config) -> int | None:
    """Returns how many addresses that were never fetched the site may ask for on every day; None where no such bound
    holds."""
    return config.scheduling.daily_new_pages if declared is None else None
