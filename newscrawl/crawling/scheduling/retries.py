"""Decides from the kind of failure when a page is tried again: never, later, or without validators. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from newscrawl.errors import WorkerDied

FIRST_RETRY: Final = timedelta(minutes=30)
MAX_PAUSE: Final = timedelta(days=7)
MAX_FAILURES: Final = 8
"""Failures in a row after which a page is not tried again: with doubling pauses these take about five days."""

GONE_RETRY: Final = timedelta(days=1)
MAX_GONE: Final = 3
"""A page that was gone (404, 410) is tried again only while a source still names it, and at most this often: an article
may be announced minutes before it is served, and some sitemaps name dead pages forever."""

GONE_STATUSES: Final = frozenset({404, 410})

NEVER: Final = frozenset({"security/scheme", "security/bad_url", "content/not_html", "http/451"})
"""Permanent failures: an address that is never fetched, a file that is not a page, a page withheld by law."""

OTHER_WAY: Final = frozenset(
    {"http/400", "http/405", "http/406", "http/412", "http/417", "fetch/unknown_not_modified", "download/bad_encoding"}
)
"""Failures of the request, not of the page. It is tried again once, after `OTHER_WAY_AFTER`, without validators."""
OTHER_WAY_AFTER: Final = timedelta(minutes=5)

SOON: Final = {
    **dict.fromkeys(OTHER_WAY, OTHER_WAY_AFTER),
    WorkerDied.code: timedelta(minutes=1),
}
"""Pauses after a first failure for which the page is mostly not to blame. Workers are mostly killed by a system that is
short of memory. A page that does kill its worker does so again; it then waits as after any other failure."""

SLOW: Final = {
    **dict.fromkeys(("robots/forbidden", "robots/too_costly"), (timedelta(days=7), 4)),
    "redirect/offsite": (timedelta(days=7), 2),
    "redirect/home": (timedelta(days=1), 2),
    "offsite/forbidden": (timedelta(days=7), 2),
    "security/blocked_address": (timedelta(days=7), 2),
    "download/too_large": (timedelta(days=7), 2),
    "content/empty": (timedelta(hours=6), 3),
    "extraction/empty": (timedelta(hours=6), 3),
    "http/401": (timedelta(days=1), 3),
    "http/402": (timedelta(days=1), 3),
    "http/403": (timedelta(days=1), 3),
}
"""Failures that end slowly if at all: the first pause, which doubles, and the failures in a row after which the page is
not tried again."""


def next_due_after_failure(kind: str, failures: int, now: datetime) -> datetime | None:
    """Returns a page's `next_due` after its `failures`-th failure in a row, the latest of this kind; None for
    never."""
    if kind in NEVER:
        return None
    if kind in SOON and failures == 1:
        return now + SOON[kind]
    if kind in SLOW:
        first, most = SLOW[kind]
        return None if failures >= most else now + min(MAX_PAUSE, first * (1 << max(0, failures - 1)))
    if failures >= MAX_FAILURES:
        return None
    return now + min(MAX_PAUSE, FIRST_RETRY * (1 << max(0, failures - 1)))


def next_due_when_gone(failures: int, now: datetime) -> datetime | None:
    """Returns when a page that is gone, but still named by a source, may be tried again; None for never."""
    if failures >= MAX_GONE:
        return None
    return now + GONE_RETRY * (1 << max(0, failures - 1))
