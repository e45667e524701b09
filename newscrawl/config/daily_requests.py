"""What `daily_requests` says of a site, in its declaration or over it in NEWSCRAWL_RUN_SITES.

A number is the most requests a day that `newscrawl run` makes. Without one, a site has a bound on addresses that were
never fetched (newscrawl.scheduling.new_pages). "unlimited" is neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from scrapy.settings import BaseSettings

from newscrawl.errors import UsageError
from newscrawl.scheduling.new_pages import LEAST

UNLIMITED: Final = "unlimited"
DailyRequests = int | Literal["unlimited"]
SETTING: Final = "NEWSCRAWL_DAILY_NEW_PAGES"
"""Addresses that were never fetched, a day, that every site may ask for."""
OVERRIDES: Final = "NEWSCRAWL_RUN_SITES"


def checked(site: str, value: Any) -> DailyRequests | None:
    """The value of `daily_requests`, None where there is none; raises UsageError, naming the site."""
    if value is None or value == UNLIMITED:
        return None if value is None else UNLIMITED
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(
            f'site {site!r}: daily_requests is {value!r}, write a whole number from 0 on, or "{UNLIMITED}"'
        )
    return value


def read(site: str, text: str) -> DailyRequests | None:
    """The value that a list of sites writes, None for an empty cell; raises UsageError, naming the site."""
    if not text:
        return None
    return checked(site, int(text) if text.isascii() and text.isdigit() else text)


def said_of(site: str, declared: Any, settings: BaseSettings) -> DailyRequests | None:
    """What holds for a site whose declaration says `declared`; raises UsageError, naming the site."""
    over = settings.getdict(OVERRIDES).get(site)
    if isinstance(over, Mapping) and "daily_requests" in over:
        declared = over["daily_requests"]
    return checked(site, declared)


def budget_of(said: DailyRequests | None) -> int | None:
    """The most requests a day; None is no limit."""
    return None if said == UNLIMITED or said is None else int(said)


def least_new_pages(said: DailyRequests | None, settings: BaseSettings) -> int | None:
    """How many addresses that were never fetched the site may ask for on every day; None where no such bound holds."""
    return settings.getint(SETTING, LEAST) if said is None else None
