"""Decides from the Date headers of servers' answers whether this machine's clock is wrong. Pure.

One server's clock may be wrong, but the clocks of twenty sites are not all wrong in the same direction. Stored times
cannot be used for this, because they come from this clock.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from statistics import median
from typing import Final

from newscrawl.times import TOLERANCE

HOSTS: Final = 20
"""Hosts whose latest answers are compared."""
OLDEST_AGE: Final = timedelta(days=366)
"""A greater Age is an error of the cache, and the answer is ignored."""
_NONE: Final = timedelta(0)


@dataclass(frozen=True, slots=True)
class Skew:
    """The result from the latest answers of `HOSTS` hosts. `ahead` is by how much this clock is ahead of theirs,
    negative if it is behind."""

    suspected: bool
    ahead: timedelta


class ServerDates:
    """Collects the Date headers of the `HOSTS` hosts that answered last, one for each host."""

    def __init__(self) -> None:
        self._ahead: OrderedDict[str, timedelta] = OrderedDict()

    def add(self, host: str, date: str | None, age: str | None, received: datetime) -> None:
        """Adds an answer that was received at this time (aware), with its Date and Age headers. An answer without a
        readable Date is ignored."""
        ahead = clock_ahead(date, age, received)
        if ahead is None:
            return
        self._ahead[host] = ahead
        self._ahead.move_to_end(host)
        if len(self._ahead) > HOSTS:
            self._ahead.popitem(last=False)

    def skew(self) -> Skew | None:
        """Returns the result; None until `HOSTS` hosts have answered."""
        if len(self._ahead) < HOSTS:
            return None
        ahead = sorted(self._ahead.values())
        return Skew(ahead[0] > TOLERANCE or ahead[-1] < -TOLERANCE, median(ahead))  # type: ignore[type-var]


def clock_ahead(date: str | None, age: str | None, received: datetime) -> timedelta | None:
    """Returns by how much this clock is ahead of the server's; None if the headers cannot be read.

    The Date of a cached answer may be the time when it was made or when the cache sent it: every time from Date to the
    sum of Date and Age agrees with the server.
    """
    sent = _date(date)
    kept = _age(age)
    if sent is None or kept is None:
        return None
    if received < sent:
        return received - sent
    return max(_NONE, received - sent - kept)


def _date(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _age(text: str | None) -> timedelta | None:
    if text is None:
        return _NONE
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        return None
    age = timedelta(seconds=int(digits))
    return age if age <= OLDEST_AGE else None
