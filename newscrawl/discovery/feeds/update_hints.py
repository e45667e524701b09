"""Reads how often a feed asks to be read: ttl, skipHours and skipDays (RSS 2.0), syndication module (RSS 1.0)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from newscrawl.discovery.reading import UpdateHints

MAX_INTERVAL: Final = timedelta(days=7)
"""The longest interval that is honoured. A feed that states more is probably wrong."""

_PERIODS: Final = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(days=7),
    "monthly": timedelta(days=30),
    "yearly": timedelta(days=365),
}
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TAG: Final = r"<{0}\b[^<>]*+>"
_HOURS: Final = tuple(re.compile(_TAG.format(name), re.IGNORECASE) for name in ("skiphours", "/skiphours"))
_SKIP_DAYS: Final = tuple(re.compile(_TAG.format(name), re.IGNORECASE) for name in ("skipdays", "/skipdays"))
"""Opening and closing tags. One expression for the whole element would search for its end from each opening tag."""

_FIELD: Final = re.compile(
    r"<(ttl|(?:\w{1,32}:)?updateperiod|(?:\w{1,32}:)?updatefrequency)\s*>([^<]{1,40})<", re.IGNORECASE
)
_VALUE: Final = re.compile(r">\s*+(\w++)\s*+<")


def read_update_hints(head: str) -> UpdateHints:
    """Returns the update hints in the head of a feed, the part before its first entry.

    They are read from the text, because feedparser does not read skipHours.
    """
    fields = {name.rpartition(":")[2].lower(): value.strip() for name, value in _FIELD.findall(head)}
    named_hours = _VALUE.findall(_element(head, *_HOURS))
    named_days = [day.lower() for day in _VALUE.findall(_element(head, *_SKIP_DAYS))]
    return UpdateHints(
        min(_interval(fields), MAX_INTERVAL),
        # RSS 0.92 counts the hours from 1 to 24, RSS 2.0 from 0 to 23: 24 is 0 in both.
        frozenset(int(hour) % 24 for hour in named_hours if hour.isascii() and hour.isdigit() and int(hour) <= 24),
        frozenset(_DAYS.index(day) for day in named_days if day in _DAYS),
    )


def _element(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    """Returns the first element between these tags, with the tags; "" if there is none."""
    start = opening.search(text)
    end = closing.search(text, start.end()) if start else None
    return text[start.start() : end.end()] if start and end else ""


def _interval(fields: dict[str, str]) -> timedelta:
    ttl = _number(fields.get("ttl"))
    if ttl:
        return timedelta(minutes=ttl)
    period = _PERIODS.get(fields.get("updateperiod", "").lower(), timedelta(0))
    return period / (_number(fields.get("updatefrequency")) or 1)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else 0
