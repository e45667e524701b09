"""Reads `daily_requests` of a site, from its declaration or from NEWSCRAWL_SITE_SCHEDULES, which overrides it.

A number limits the requests that the site may receive in a day (UTC). Without a number, a site has a daily limit on
addresses that were never fetched (newscrawl.crawling.scheduling.site_state). "unlimited" removes both limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from newscrawl.config.catalogue import Config
from newscrawl.errors import UsageError

UNLIMITED: Final = "unlimited"
DailyRequests = int | Literal["unlimited"]


def checked(site: str, value: Any) -> DailyRequests | None:
    """Returns the checked value of `daily_requests`; None if there is none. Raises UsageError, which names the site."""
    if value is None or value == UNLIMITED:
        return None if value is None else UNLIMITED
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(
            f'site {site!r}: daily_requests is {value!r}, write a whole number from 0 on, or "{UNLIMITED}"'
        )
    return value


def read(site: str, text: str) -> DailyRequests | None:
    """Returns the value of a cell in a list of sites; None for an empty cell. Raises UsageError, which names the
    site."""
    if not text:
        return None
    return checked(site, int(text) if text.isascii() and text.isdigit() else text)


def declared_of(site: str, declared: Any, schedules: Mapping[str, Any]) -> DailyRequests | None:
    """Returns the value for a site: that of `schedules` (NEWSCRAWL_SITE_SCHEDULES), else `declared`, the value in its
    declaration. Raises UsageError, which names the site."""
    over = schedules.get(site)
    if isinstance(over, Mapping) and "daily_requests" in over:
        declared = over["daily_requests"]
    return checked(site, declared)


def budget_of(declared: DailyRequests | None) -> int | None:
    """Returns the most requests a day; None is no limit."""
    return None if declared == UNLIMITED or declared is None else int(declared)


def least_new_pages(declared: DailyRequests | None, config: Config) -> int | None:
    """Returns how many never-fetched addresses the site may request on any day, at least; None if it has no such
    limit."""
    return config.scheduling.daily_new_pages if declared is None else None
