"""Reads the dates of feeds and sitemaps as aware UTC datetimes, or None. They only order and filter candidates."""

from __future__ import annotations

import calendar
import re
import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

EARLIEST: Final = datetime(1995, 1, 1, tzinfo=UTC)
"""There were hardly any news sites before. An earlier date is a default value of the site's software."""

MAX_DATE: Final = 100
"""Characters. A longer text is not read as a date."""

_ZONE: Final = r"(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)"
_W3C: Final = re.compile(
    r"(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2})(?:[T ]\s?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*"
    r"(?:([ap])\.?m\b\.?\s*)?" + _ZONE + "?)?)?$",
    re.IGNORECASE,
)
"""The W3C profile of ISO 8601 that sitemaps.org asks for, with the slips that occur: a blank for T, +0100, slashes, AM
and PM."""

_BEHIND: Final = re.compile(r"\s*\[[\w/]+\]$|\s+[A-Z][a-z]+/[A-Z][A-Za-z_]+$|(?<=[+-]\d\d:\d\d)Z$")
"""Zone names after a date. Reading them would need a table that changes, so the time before them is taken as UTC."""

_CJK: Final = str.maketrans({"年": "-", "月": "-", "日": " ", "년": "-", "월": "-", "일": " "})
_COMPACT: Final = re.compile(r"(\d{4})()(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?()\s*" + _ZONE + "?)?$", re.IGNORECASE)
_EPOCH: Final = re.compile(r"(\d{9,10})(?:\d{3}|\.\d+)?$")
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*([ap])\.?m\b\.?)?", re.IGNORECASE)
_OFFSET: Final = re.compile(r"^\W*(?:gmt|utc)?\s*([+-])(\d{1,2}):?(\d{2})?(?!\d)", re.IGNORECASE)
_NUMERIC: Final = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
_PIECE: Final = re.compile(r"\d+|[^\W\d_]+")

_HOURS: Final = {
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8,
    "hst": -10, "bst": 1, "wet": 0, "west": 1, "cet": 1, "cest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "msk": 3,
    "sast": 2, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "brt": -3, "art": -3,
}  # fmt: skip
"""Zones by name: those of RFC 822, and names in feeds of other continents that stand for one zone only."""

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan january januari ene enero januar jän janv janvier gen gennaio janeiro янв января",
            "feb february febrero februar févr février febbraio fev fevereiro фев февр февраля şubat lutego",
            "mar march marzo mär märz mrz mars março март мар марта maart mart marca maret",
            "apr april abr abril avr avril aprile апр апреля nisan kwietnia kwi",
            "may mayo mai maggio mag maio мая май mei maj mayıs maja",
            "jun june junio juni juin giugno giu junho июн июня haziran czerwca cze",
            "jul july julio juli juil juillet luglio lug julho июл июля temmuz lipca lip",
            "aug august ago agosto août aout авг августа augustus augusti ağustos sierpnia sie",
            "sep sept september septiembre setiembre septembre settembre set setembro сен сент сентября eylül września",
            "oct october octubre okt oktober octobre ottobre ott out outubro окт октября ekim października paź",
            "nov november noviembre novembre novembro ноя нояб ноября kasım listopada lis",
            "dec december dic diciembre dez dezember déc décembre dicembre dezembro дек декабря aralık grudnia gru",
        ),
        1,
    )
    for name in names.split()
}


def from_struct(value: time.struct_time | None) -> datetime | None:
    """Returns a UTC struct_time of feedparser as a datetime; None if it is missing or not credible."""
    if value is None:
        return None
    try:
        when = datetime.fromtimestamp(calendar.timegm(value), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return _credible(when)


def from_text(text: str | None) -> datetime | None:
    """Returns a feed's date in any of the usual forms; a date without a zone is UTC. Returns None for numbers of which
    either could be the day."""
    text = (text or "").strip()
    if not text or len(text) > MAX_DATE:
        return None
    text = _BEHIND.sub("", text.translate(_CJK)).strip()
    epoch = _EPOCH.match(text)
    if epoch:
        return _credible(datetime.fromtimestamp(int(epoch.group(1)), UTC))
    return from_w3c(text) or _from_words(text)


def from_w3c(text: str | None) -> datetime | None:
    """Returns a sitemap's date; a time without a zone is UTC. Returns None for a year alone, which is too vague."""
    text = (text or "").strip()[: MAX_DATE + 1]
    match = _W3C.match(text) or _COMPACT.match(text)
    if match is None:
        return None
    year, _, month, day, hour, minute, second, half, zone = match.groups()
    return _moment((int(year), int(month), int(day or 1)), (_hour(hour, half), minute, second), _offset(zone))


def _from_words(text: str) -> datetime | None:
    """Reads RFC 822 and similar forms: a time, a zone after it, and day, month name and year in any order."""
    clock = _CLOCK.search(text)
    rest, zone, hour = text, timedelta(0), None
    if clock:
        behind = text[clock.end() :]
        offset = _OFFSET.match(behind)
        if offset:
            zone = _offset(f"{offset.group(1)}{offset.group(2):0>2}{offset.group(3) or '00'}")
            behind = behind[offset.end() :]
        else:
            named = (piece.lower() for piece in _PIECE.findall(behind))
            zone = next((timedelta(hours=_HOURS[name]) for name in named if name in _HOURS), zone)
        rest = f"{text[: clock.start()]} {behind}"
        hour = _hour(clock.group(1), clock.group(4))
    day = _day(rest)
    if day is None:
        return None
    return _moment(day, (hour, clock.group(2), clock.group(3)) if clock else (None, None, None), zone)


def _hour(hour: str | None, half: str | None) -> str | None:
    """Returns the hour of 24. `half` is the letter of AM or PM; after a greater hour than 12 it says nothing."""
    if not hour or not half or int(hour) > 12:
        return hour
    return str(int(hour) % 12 + 12 * (half in "pP"))


def _day(text: str) -> tuple[int, int, int] | None:
    numeric = _NUMERIC.search(text)
    if numeric:
        first, second, year = (int(numeric.group(group)) for group in (1, 3, 4))
        if numeric.group(2) == "." or first > 12:
            return year, second, first
        return (year, first, second) if second > 12 else None
    pieces = _PIECE.findall(text.lower())
    # A weekday can be spelt like a month ("mar", "mar." for martes), so the name next to the day's number is taken.
    month = next((_MONTHS[piece] for piece in reversed(pieces) if piece in _MONTHS), None)
    numbers = [piece for piece in pieces if piece.isdigit() and piece.isascii()]
    if month is None or len(numbers) < 2:
        return None
    year = next((number for number in numbers if len(number) == 4), numbers[1])
    numbers.remove(year)
    if len(year) not in (2, 4) or len(numbers[0]) > 2:
        return None
    return int(year) + (2000 if len(year) == 2 else 0), month, int(numbers[0])


def _moment(day: tuple[int, int, int], clock: tuple[str | None, ...], zone: timedelta) -> datetime | None:
    hour, minute, second = (int(part or 0) for part in clock)
    try:
        # 24:00 is the end of the day (ISO 8601), 60 a leap second.
        when = datetime(*day, 0 if hour == 24 else hour, minute, min(second, 59), tzinfo=timezone(zone))
        when = when.astimezone(UTC) + timedelta(days=hour == 24)
    except (ValueError, OverflowError):
        return None
    return _credible(when)


def _credible(when: datetime) -> datetime | None:
    return when if when >= EARLIEST else None


def _offset(text: str | None) -> timedelta:
    if not text or text[0] not in "+-":
        return timedelta(0)
    minutes = 60 * int(text[1:3]) + (int(text[-2:]) if len(text) > 3 else 0)
    return timedelta(minutes=-minutes if text[0] == "-" else minutes)
