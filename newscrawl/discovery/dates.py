"""Dates of feeds and sitemaps as aware UTC datetimes, or None: a source's date only orders and filters candidates."""

from __future__ import annotations

import calendar
import re
import time
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Final

EARLIEST: Final = datetime(1995, 1, 1, tzinfo=UTC)
"""There were hardly any news sites before; an earlier date is a default value that leaked."""

_W3C: Final = re.compile(
    r"(\d{4})-(\d{1,2})(?:-(\d{1,2})(?:[T ]\s?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?)?$",
    re.IGNORECASE,
)
"""The W3C profile of ISO 8601 that sitemaps.org asks for, with the slips that occur: a blank for T, +0100."""


def from_struct(value: time.struct_time | None) -> datetime | None:
    """A UTC struct_time as feedparser gives it."""
    if value is None:
        return None
    try:
        when = datetime.fromtimestamp(calendar.timegm(value), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return when if when >= EARLIEST else None


def from_text(text: str | None) -> datetime | None:
    """A feed's date that feedparser does not read: of both usual forms, without a zone (read as UTC)."""
    when = from_w3c(text)
    if when is not None or not text:
        return when
    try:
        when = parsedate_to_datetime(text[:100])
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError, TypeError):
        return None
    return when if when >= EARLIEST else None


def from_w3c(text: str | None) -> datetime | None:
    """A sitemap's date; a year alone says too little and gives None, a time without zone is read as UTC."""
    match = _W3C.match((text or "").strip())
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    try:
        when = datetime(year, month, day or 1, hour, minute, min(second, 59), tzinfo=_zone(match.group(7)))
        when = when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return when if when >= EARLIEST else None


def _zone(text: str | None) -> timezone:
    if not text or text in "Zz":
        return UTC
    sign = -1 if text[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(text[1:3]), minutes=int(text[-2:])))
