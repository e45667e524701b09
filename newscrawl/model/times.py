"""Times: a clock that never jumps, which times of a fetch are credible, and times of day as pages show them.

A file's time of change and an archive's record may be wrong. A wrong time must not decide which text of a page is the
newest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

TOLERANCE: Final = timedelta(minutes=2)
"""Clocks of machines that are kept in step differ by less. A time further ahead is wrong."""
WEB_BEGAN: Final = datetime(1991, 8, 6, tzinfo=UTC)
"""The day on which the first web site was announced in public. No page was fetched before it."""

_SPAN: Final = re.compile(r"(\d{1,5})([dh])$")

_CLOCK: Final = re.compile(
    r"[\W_]{0,8}(?P<hour>[01]?\d|2[0-3])(?:(?P<sign>[:：])|(?P<dot>\.)|\s?[hH時时]\s?)(?P<minute>[0-5]\d)"
    r"(?![\d:.,/-]*\d)(?P<unit>(?:\s?(?:(?P<half>[ap])\.?m\b\.?|uhr\b|hrs?\b|h\b|分))?"
    r"(?:\s(?:UTC|GMT|BST|CES?T|MES?Z|[ECMP][SD]?T|MSK|IST|JST)\b)?)[\s\])|:+•·*–—-]*",
    re.IGNORECASE,
)
NOON: Final = 12
TIME_STARTS: Final = frozenset("0123456789+([")
"""The characters with which the time of an entry begins. Few runs do, so `leading_time` need not read the others."""


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A time of day at the beginning of a line, and what follows it."""

    hour: int
    minute: int
    rest: str


def leading_time(text: str) -> TimeOfDay | None:
    """Returns the time of day with which a line begins ("14:32 Uhr", "2.05 pm: The vote begins"); None without one.

    Hours are 0 to 23. With a full stop between hour and minute, it is a time only if a unit follows or nothing does.
    """
    match = _CLOCK.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    if match["dot"] and rest and not match["unit"]:
        return None
    hour = int(match["hour"])
    if match["half"] and hour <= NOON:
        hour = hour % NOON + (NOON if match["half"] in "pP" else 0)
    return TimeOfDay(hour, int(match["minute"]), rest)


def read_span(text: str) -> timedelta | None:
    """Returns 3d or 12h as a span of time, None for any other text."""
    match = _SPAN.match(text.strip())
    if match is None:
        return None
    amount = int(match.group(1))
    return timedelta(days=amount) if match.group(2) == "d" else timedelta(hours=amount)


def is_credible(moment: datetime, now: datetime) -> bool:
    """Returns whether a page can have been fetched then: not further ahead of `now` than clocks differ, and not before
    there were pages. 1970 is what unset clocks and archivers write. Both are aware."""
    return WEB_BEGAN <= moment <= now + TOLERANCE


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
