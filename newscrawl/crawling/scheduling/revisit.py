"""Decides when to visit an article's page again, after an answer and after a failure. Pure.

News changes soon after it appears and then hardly ever, so visits become rarer: the next pause is as long as the time
since the last change (the geometric schedule 30 min, 1 h, 2 h, 4 h ... after it). After two weeks without a change
there are no more visits. That is about ten visits an article. Earlier visits change the pause: it is shorter for a page
whose visits often found an edit, and at most twice as long for one that never changed.

The kind of a failure decides whether a page is tried again never, later, or without validators.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from newscrawl.errors import WorkerDied

MIN_PAUSE: Final = timedelta(minutes=30)
MAX_PAUSE: Final = timedelta(days=3)
QUIET: Final = timedelta(days=14)
"""An article unchanged for this long is not visited again."""
PRIOR_VISITS: Final = 4.0
PRIOR_EDITS: Final = 0.6
"""An unknown page counts as if four visits had found 0.6 edits: about one visit in seven finds one on this schedule
(docs/measurements/freshness.md)."""
MAX_STRETCH: Final = 2.0
"""The pause is stretched or shortened by at most this factor."""


def next_due(
    first_seen: datetime,
    published: datetime | None,
    last_change: datetime | None,
    now: datetime,
    visits: int = 0,
    edits: int = 0,
) -> datetime | None:
    """Returns the time of the next visit after one at `now`, None for never. All times are aware. `visits` counts the
    visits whose page could be read, with this one; `edits` counts those that found another text than before.

    The pause counts from the last change, else from the publication, else from when the page was first seen. A
    publication after the first sight is a mistake of the page and is ignored: it would cause endless visits.
    """
    began = last_change or min(first_seen, published or first_seen)
    quiet = max(timedelta(0), now - began)  # a clock may jump back
    if quiet >= QUIET:
        return None
    return now + min(MAX_PAUSE, max(MIN_PAUSE, quiet * _stretch(visits, edits)))


def _stretch(visits: int, edits: int) -> float:
    """Returns a factor on the pause, between 1/2 and 2: the square root of how much less often than usual the page was
    found edited; 1 for a usual page."""
    # The first visit finds the article, not an edit of it.
    seldom = (max(0, visits - 1) + PRIOR_VISITS) / PRIOR_VISITS * PRIOR_EDITS / (edits + PRIOR_EDITS)
    return float(min(MAX_STRETCH, max(1 / MAX_STRETCH, seldom**0.5)))


FIRST_RETRY: Final = timedelta(minutes=30)
MAX_RETRY_PAUSE: Final = timedelta(days=7)
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
        return None if failures >= most else now + min(MAX_RETRY_PAUSE, first * (1 << max(0, failures - 1)))
    if failures >= MAX_FAILURES:
        return None
    return now + min(MAX_RETRY_PAUSE, FIRST_RETRY * (1 << max(0, failures - 1)))


def next_due_when_gone(failures: int, now: datetime) -> datetime | None:
    """Returns when a page that is gone, but still named by a source, may be tried again; None for never."""
    if failures >= MAX_GONE:
        return None
    return now + GONE_RETRY * (1 << max(0, failures - 1))
