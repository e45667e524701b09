"""Reads one written date: ISO 8601 and its variants, internet dates, and dates with month names or in digits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Final

from newscrawl.metadata.dates.calendars import calendar_day, latin
from newscrawl.metadata.dates.months import MONTHS
from newscrawl.model import Precision

MAX_RAW: Final = 120
"""Characters of a text in which a date is searched. Anything further on is no date line."""


@dataclass(frozen=True, slots=True)
class Written:
    """A date that was read: its time in UTC, its precision, whether its zone was stated, and the offset from UTC that
    is written, in minutes east."""

    when: datetime
    precision: Precision
    zone_stated: bool
    offset: int | None = None


_ZONES: Final = {
    "z": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 60, "west": 60, "cet": 60, "mez": 60, "cest": 120, "mesz": 120,
    "eet": 120, "eest": 180, "msk": 180, "jst": 540, "kst": 540, "hkt": 480, "sgt": 480, "aest": 600, "aedt": 660,
    "nzst": 720, "nzdt": 780, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
    "pdt": -420, "brt": -180, "sast": 120, "wib": 420,
}  # fmt: skip
"""Minutes east of Greenwich, with the American names of RFC 5322, section 4.3. IST, AST and similar names are left out,
because they are names of several zones."""

_CLOCK: Final = r"(?P<hour>\d{1,2})[:.h時시](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,]\d{1,9})?)?"
_TWELVE: Final = r"(?:\s*(?P<half>[ap])\.?\s?m\b\.?)?"
_OFFSET: Final = (
    r"(?:\s*(?:(?:UTC|GMT)\s?)?(?P<offset>[+\-−]\d{1,2}:?\d{2}|[+\-−]\d{1,2})(?!\d)|[\s(]*(?P<zone>[A-Za-z]{1,4})\b)?"
)
_TIME: Final = re.compile(rf"(?<![\d.]){_CLOCK}{_TWELVE}{_OFFSET}", re.IGNORECASE)
_HOUR: Final = re.compile(rf"\b(?P<hour>\d{{1,2}})\s*(?P<half>[ap])\.?\s?m\b\.?{_OFFSET}", re.IGNORECASE)

_ISO: Final = re.compile(
    r"(?<!\d)(?P<year>\d{4})(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?!\d)"
    r"(?:\s*[Tt,]?\s*(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,:]\d{1,9})?)?)?"
    rf"{_TWELVE}{_OFFSET}"
)
_COMPACT: Final = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})"
    rf"(?:T?(?P<hour>\d{{2}})(?P<minute>\d{{2}})(?P<second>\d{{2}})?(?:\.\d+)?{_OFFSET})?(?!\d)"
)
_EAST_ASIAN: Final = re.compile(r"(?P<year>\d{4})\s*[年년]\s*(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日일]?")
_KOREAN: Final = re.compile(r"(?P<year>\d{4})\.\s(?P<month>\d{1,2})\.\s(?P<day>\d{1,2})\.?")
_WORD: Final = r"(?P<name>[^\W\d_]{3,12})"
_DAY_FIRST: Final = re.compile(
    rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|ª|\.)?[\s\-/.,،]*(?:de\s|d['’]|of\s)?\s*{_WORD}"
    r"(?:\s*/\s*[^\W\d_]{3,12})?\.?[\s\-/.,،]*(?:de\s|del\s)?\s*(?P<year>\d{4})(?!\d)"
)
_NAME_FIRST: Final = re.compile(
    rf"{_WORD}\.?\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[,،]\s*|\s+)"
    r"(?:\S{1,15}\s){0,4}?(?P<year>(?:19|20)\d{2})(?!\d)"
)
_YEAR_FIRST: Final = re.compile(
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})(?:\.|\sm\.)?\s{_WORD}\.?\s(?P<day>\d{{1,2}})(?!\d)"
)
"""The form of Hungarian and Lithuanian sites."""
_IN_BOXES: Final = re.compile(rf"{_WORD}\s(?P<day>\d{{2}})(?P<year>(?:19|20)\d{{2}})(?!\d)")
"""Month, day and year in boxes like a calendar leaf, with no blank between day and year."""
_MONTH_ONLY: Final = re.compile(rf"{_WORD}\.?,?\s*(?:de\s)?(?P<year>(?:19|20)\d{{2}})(?!\d)")
_FIGURES: Final = re.compile(
    r"(?<!\d)(?P<one>\d{1,2})(?P<sep>[./\-]|\s\|\s)\s?(?P<two>\d{1,2})(?P=sep)\s?(?P<year>(?:19|20)\d{2})(?!\d)"
)
_TWO_DIGIT_YEAR: Final = re.compile(
    r"(?<!\d)(?<!\d\.)(?P<one>\d{2})(?P<sep>\.)(?P<two>\d{2})\.(?P<short>\d{2})(?!\d|\.\d)"
)
"""The form of German, Swiss and Nordic sites. Day and month have two digits, or it may be a version or a section."""
_YEAR_MONTH: Final = re.compile(r"^\s*(?P<year>\d{4})(?:-(?P<month>\d{2}))?\s*$")
_PATTERNS: Final = (
    _ISO, _EAST_ASIAN, _KOREAN, _DAY_FIRST, _NAME_FIRST, _YEAR_FIRST, _FIGURES, _COMPACT, _IN_BOXES, _YEAR_MONTH,
    _MONTH_ONLY, _TWO_DIGIT_YEAR,
)  # fmt: skip
"""The more reliable patterns first."""
_EPOCH: Final = re.compile(r"\s*(\d{10})(\d{3})?(?:\.\d+)?\s*$")


def read_date(raw: str, *, day_first: bool = True) -> Written | None:
    """Returns the first date written in `raw`; None if there is none. Never raises.

    A time without a zone is UTC. `day_first` decides dates such as 05/06/2024.
    """
    text = latin(raw[:MAX_RAW])
    if epoch := _EPOCH.match(text):
        return _from_epoch(epoch)
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if written := _from_match(match, text, day_first):
                return written
    return None


def _from_epoch(match: re.Match[str]) -> Written | None:
    try:
        return Written(datetime.fromtimestamp(int(match.group(1)), UTC), "second", True)
    except (OverflowError, ValueError, OSError):
        return None


def _from_match(match: re.Match[str], text: str, day_first: bool) -> Written | None:
    parts = match.groupdict()
    day = _day(parts, day_first)
    if day is None:
        return None
    date, precision = day
    clock = match if parts.get("hour") else _clock(text, match)
    return (clock and precision == "day" and _with_time(date, clock.groupdict())) or _at(date, precision)


def _clock(text: str, match: re.Match[str]) -> re.Match[str] | None:
    """Returns the time next to a date: after it, else before it."""
    for pattern in (_TIME, _HOUR):
        if clock := pattern.search(text, match.end()) or pattern.search(text, 0, match.start()):
            return clock
    return None


def _day(parts: dict[str, str | None], day_first: bool) -> tuple[datetime, Precision] | None:
    """Returns the calendar day and its precision; None for an impossible day."""
    year = int(parts["year"] or 0) if "year" in parts else 2000 + int(parts["short"] or 0)
    if "one" in parts:
        one, two = int(parts["one"] or 0), int(parts["two"] or 0)
        as_day_first = day_first or parts["sep"] not in {"/", "-"}
        day, month = (one, two) if (as_day_first and two <= 12) or one > 12 else (two, one)
    else:
        name = parts.get("name")
        written_month = MONTHS.get(name.casefold(), 0) if name else int(parts.get("month") or 1)
        month, day = written_month, int(parts.get("day") or 1)
    precision: Precision = "day" if "one" in parts or parts.get("day") else "month"
    if precision == "month" and not parts.get("name") and not parts.get("month"):
        precision = "year"
    try:
        return datetime.combine(calendar_day(year, month, day), time(), UTC), precision
    except ValueError:
        return None


def _at(date: datetime, precision: Precision) -> Written:
    return Written(date, precision, False)


def _with_time(date: datetime, clock: dict[str, str | None]) -> Written | None:
    hour, minute, second = int(clock["hour"] or 0), int(clock.get("minute") or 0), int(clock.get("second") or 0)
    half = (clock.get("half") or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    offset = _offset(clock)
    try:
        zone = timezone(timedelta(minutes=offset or 0))
        when = date.replace(hour=hour, minute=minute, second=min(second, 59), tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return Written(when, "second" if clock.get("second") else "minute", offset is not None, offset)


def _offset(clock: dict[str, str | None]) -> int | None:
    """Returns the minutes east of Greenwich; None if no zone with one meaning is written."""
    written = clock.get("offset")
    if written:
        sign = 1 if written[0] == "+" else -1
        digits = written[1:].replace(":", "")
        hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
        return sign * (hours * 60 + minutes)
    return _ZONES.get((clock.get("zone") or "").lower())
