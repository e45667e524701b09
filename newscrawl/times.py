"""A clock that never jumps, and the decision which times of reading are credible.

A machine's clock, a file's time of change and an archive's record may all be wrong. A wrong time must not decide which
text of a page is the newest.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

TOLERANCE: Final = timedelta(minutes=5)
"""Clocks of machines that are kept in step differ by less. A time further ahead is wrong."""
WEB_BEGAN: Final = datetime(1991, 8, 6, tzinfo=UTC)
"""The day on which the first web site was announced in public. No page was fetched before it."""

_SPAN: Final = re.compile(r"(\d{1,5})([dh])$")


def read_span(text: str) -> timedelta | None:
    """Returns 3d or 12h as a span of time, None for any other text."""
    match = _SPAN.match(text.strip())
    if match is None:
        return None
    amount = int(match.group(1))
    return timedelta(days=amount) if match.group(2) == "d" else timedelta(hours=amount)


def is_future(moment: datetime | None, now: datetime) -> bool:
    """Returns whether the moment lies further ahead of `now` than clocks differ. Both are aware."""
    return moment is not None and moment > now + TOLERANCE


def is_before_the_web(moment: datetime) -> bool:
    """Returns whether the moment lies before any page could be fetched: 1970 is what unset clocks and archivers
    write."""
    return moment < WEB_BEGAN


def local_time(published: datetime, offset: int | None) -> datetime:
    """Returns the time that readers of a page saw on it: `published` and the stated offset in minutes, as if it were
    UTC, so that it can be compared with days. Without an offset it is `published`. The extremes of datetime stay."""
    try:
        return published + timedelta(minutes=offset or 0)
    except OverflowError:
        return published


class SteadyClock:
    """Aware UTC time that never jumps within a process: it reads the wall clock once, then the monotonic clock."""

    def __init__(self) -> None:
        self._started = datetime.now(UTC)
        self._origin = monotonic()

    def __call__(self) -> datetime:
        return self._started + timedelta(seconds=monotonic() - self._origin)
