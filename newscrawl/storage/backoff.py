"""When a page or source that failed may be asked for again. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

FIRST_RETRY: Final = timedelta(minutes=30)
LONGEST_RETRY: Final = timedelta(days=7)
MAX_FAILURES: Final = 8
"""Failures in a row after which a page is left alone: with doubling pauses these span about five days."""

GONE_RETRY: Final = timedelta(days=1)
MAX_GONE: Final = 3
"""A page that was gone is asked for again only while a source still names it, and at most this often in all: an article
may be announced minutes before it is served, and some sitemaps name dead pages for ever."""

GONE_STATUSES: Final = frozenset({404, 410})


def retry_at(failures: int, now: datetime) -> datetime | None:
    """When to try again after the `failures`-th failure in a row, None for never: 30 minutes, then doubling."""
    if failures >= MAX_FAILURES:
        return None
    return now + min(LONGEST_RETRY, FIRST_RETRY * (1 << max(0, failures - 1)))


def gone_retry_at(failures: int, now: datetime) -> datetime | None:
    """When a source that still names a page that is gone may have it asked for again, None for never."""
    if failures >= MAX_GONE:
        return None
    return now + GONE_RETRY * (1 << max(0, failures - 1))
