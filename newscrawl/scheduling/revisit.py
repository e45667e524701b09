"""When to visit an article's page again. Pure.

News changes soon after it appears and then hardly ever, so visits thin out: the next one lies as far ahead as the
last change lies back (the geometric schedule 30 min, 1 h, 2 h, 4 h ... after it), and after two weeks without a change
there is none. That is about ten visits an article. What was observed of the page shortens or stretches the pause: a
page whose visits often find an edit is visited more often, one that never changes half as often in the end.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

SHORTEST: Final = timedelta(minutes=30)
LONGEST: Final = timedelta(days=3)
QUIET: Final = timedelta(days=14)
"""An article unchanged for this long is not visited again."""
PRIOR_VISITS: Final = 4.0
PRIOR_EDITS: Final = 0.6
"""A page of which nothing is known counts as one of which four visits found 0.6 edits: about one visit in seven finds
one on this schedule (docs/freshness.md)."""
MOST: Final = 2.0
"""The pause is stretched or shortened by at most this factor."""


def next_due(
    first_seen: datetime,
    published: datetime | None,
    last_change: datetime | None,
    now: datetime,
    visits: int = 0,
    edits: int = 0,
) -> datetime | None:
    """The next visit after one at `now`, None for never. All times are aware. `visits` counts those that could be read,
    this one too, and `edits` those of them that found another text than before.

    An article counts from when it last changed, else from its publication, else from when it was first seen. It cannot
    be published after it was seen: a later date is a mistake of the page, and would have it visited for ever.
    """
    began = last_change or min(first_seen, published or first_seen)
    quiet = max(timedelta(0), now - began)  # a clock may jump back
    if quiet >= QUIET:
        return None
    return now + min(LONGEST, max(SHORTEST, quiet * _stretch(visits, edits)))


def _stretch(visits: int, edits: int) -> float:
    """1 for a page that is edited as often as most, with the square root of how much less often it is."""
    # The first visit finds the article, no edit of it.
    seldom = (max(0, visits - 1) + PRIOR_VISITS) / PRIOR_VISITS * PRIOR_EDITS / (edits + PRIOR_EDITS)
    return float(min(MOST, max(1 / MOST, seldom**0.5)))
