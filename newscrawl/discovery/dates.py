"""Reads the dates of feeds and sitemaps as aware UTC datetimes, or None. They only order and filter candidates."""

from __future__ import annotations

import calendar
import re
import time
from datetime import UTC, datetime
from typing import Final

from newscrawl.written_dates.parse_date import EARLIEST, read_date

MAX_DATE: Final = 100
"""Characters. A longer text is not read as a date."""

_MONTH: Final = re.compile(r"\d{4}-\d{2}")
"""A month in the W3C profile of ISO 8601, which sitemaps.org asks for. Other texts with a month alone are no dates."""
_TIME: Final = re.compile(r"\d:\d")
"""A time. If only the day beside it can be read, the time or its zone is impossible, and the date is none."""


def from_struct(value: time.struct_time | None) -> datetime | None:
    """Returns a UTC struct_time of feedparser as a datetime; None if it is missing or not credible."""
    if value is None:
        return None
    try:
        when = datetime.fromtimestamp(calendar.timegm(value), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return when if when >= EARLIEST else None


def from_text(text: str | None) -> datetime | None:
    """Returns the date of a feed or sitemap; a time without a zone is UTC. Returns None for a year alone, which is too
    vague, and for numbers of which either could be the day."""
    text = (text or "").strip()
    if not text or len(text) > MAX_DATE:
        return None
    if text[4:5] == "-":  # the usual form, in a thirtieth of the time
        try:
            when = datetime.fromisoformat(text).replace(microsecond=0)
            when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        else:
            return when if when >= EARLIEST else None
    written = read_date(text)
    if written is None or written.when < EARLIEST or written.precision == "year":
        return None
    if written.precision == "month" and not _MONTH.fullmatch(text):
        return None
    if written.precision == "day" and _TIME.search(text):
        return None
    is_certain = text[:4].isdecimal() or written == read_date(text, day_first=False)
    return written.when if is_certain else None
