"""When to visit an article's page again. Pure.

News changes soon after it appears and then hardly ever, so visits thin out: the next one lies as far ahead as the last
change lies back (the geometric schedule 30 min, 1 h, 2 h, 4 h ... after it), and after two weeks without a change there
is none. That is about ten visits an article, whatever its site; watching how each site edits comes later.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

SHORTEST: Final = timedelta(minutes=30)
LONGEST: Final = timedelta(days=3)
QUIET: Final = timedelta(days=14)
"""An article unchanged for this long is not visited again."""


def next_due(
    first_seen: datetime,
    published: datetime | None,
    last_change: datetime | None,
    now: datetime,
    visits: int = 0,
    edits: int = 0,
) -> datetime | None:
    """The next visit after one at `now`, None for never. All times are aware.

    An article counts from when it last changed, else from its publication, else from when it was first seen. It cannot
    be published after it was seen: a later date is a mistake of the page, and would have it visited for ever.
    """
    began = last_change or min(first_seen, published or first_seen)
    quiet = max(timedelta(0), now - began)  # a clock may jump back
    if quiet >= QUIET:
        return None
    return now + min(LONGEST, max(SHORTEST, quiet))
