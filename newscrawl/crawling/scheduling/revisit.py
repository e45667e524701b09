"""Decides when to visit an article's page again. Pure.

News changes soon after it appears and then hardly ever, so visits become rarer: the next pause is as long as the time
since the last change (the geometric schedule 30 min, 1 h, 2 h, 4 h ... after it). After two weeks without a change
there are no more visits. That is about ten visits an article. Earlier visits change the pause: it is shorter for a page
whose visits often found an edit, and at most twice as long for one that never changed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

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
