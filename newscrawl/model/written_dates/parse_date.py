"""Reads one written date: ISO 8601 and its variants, internet dates, and dates with month names or in digits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Final

from newscrawl.model import Precision
from newscrawl.model.written_dates.calendars import MONTHS, calendar_day, latin
from newscrawl.model.written_dates.clocks import has_part_before, hour_of_day, offset_after

MAX_RAW: Final = 120
"""Characters of a text in which a date is searched. Anything further on is no date line."""

EARLIEST: Final = datetime(1995, 1, 1, tzinfo=UTC)
"""The first news sites went on line in 1994 and 1995. An earlier date is an unset field, or that of an archive."""


@dataclass(frozen=True, slots=True)
class Written:
    """A date that was read: its time in UTC, its precision, whether its zone was stated, and the offset from UTC that
    is written, in minutes east."""

    when: datetime
    precision: Precision
    zone_stated: bool
    offset: int | None = None


_CLOCK: Final = (
    r"(?P<hour>\d{1,2})(?:[:：.]|\s?h\s?|\s?[時时시点點]\s?)(?P<minute>\d{2}|\d(?=\s?[分분]))"
    r"(?:[:.](?P<second>\d{2})(?:[.,]\d{1,9})?)?"
)
_TIME: Final = re.compile(rf"(?<![\d.]){_CLOCK}", re.IGNORECASE)
_HOUR: Final = re.compile(
    r"\b(?P<hour>\d{1,2})(?:(?=\s*[ap]\.?\s?m\b)|(?P<unit>\s?[時时시点點])(?!\s?\d))", re.IGNORECASE
)

_ISO: Final = re.compile(
    r"(?<!\d)(?P<year>\d{4})(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?!\d)"
    r"(?:\s*[Tt,]?\s*(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,:]\d{1,9})?)?)?"
)
_COMPACT: Final = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})"
    r"(?:T?(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})?(?:\.\d+)?)?(?!\d)"
)
_EAST_ASIAN: Final = re.compile(r"(?P<year>\d{4})\s*[年년]\s*(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日일]?")
_KOREAN: Final = re.compile(r"(?P<year>\d{4})\.\s(?P<month>\d{1,2})\.\s(?P<day>\d{1,2})\.?")
_WORD: Final = r"(?P<name>[^\W\d_]{3,12})"
_DAY_FIRST: Final = re.compile(
    rf"(?<!\d)(?P<day>\d{{1,2}})(?:[-:'’]?[^\W\d_]{{1,5}}(?=[\s.,،])|[º°]|\.)?[\s\-/.,،]*(?:de\s|d['’]|of\s)?\s*{_WORD}"
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
_YEAR_DAY: Final = re.compile(
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})\.?\s?gada\s(?P<day>\d{{1,2}})\.?\s?{_WORD}", re.IGNORECASE
)
"""The form of Latvian sites: "2019. gada 18. februārī"."""
_SHORT_YEAR: Final = re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})[\s-]{_WORD}[\s-](?P<short>\d{{2}})\s(?=\d{{1,2}}:\d{{2}})")
"""The form of RFC 822, from the time before years had four digits. A time follows it."""
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
_SHORT_FIGURES: Final = re.compile(r"(?<![\d/])(?P<one>\d{1,2})(?P<sep>/)(?P<two>\d{1,2})/(?P<short>\d{2})(?![\d/])")
"""The same with slashes, if only one of the first two figures can be a month."""
_YEAR_MONTH: Final = re.compile(r"^\s*(?P<year>\d{4})(?:-(?P<month>\d{2}))?\s*$")
_PATTERNS: Final = (
    _ISO, _EAST_ASIAN, _KOREAN, _DAY_FIRST, _NAME_FIRST, _YEAR_FIRST, _YEAR_DAY, _FIGURES, _COMPACT, _IN_BOXES,
    _YEAR_MONTH, _MONTH_ONLY, _TWO_DIGIT_YEAR, _SHORT_YEAR, _SHORT_FIGURES,
)  # fmt: skip
"""The more reliable patterns first."""
MAX_SOURCE_DATE: Final = 100
"""Characters. A longer text of a feed or sitemap is not read as a date."""
_W3C_MONTH: Final = re.compile(r"\d{4}-\d{2}")
"""A month in the W3C profile of ISO 8601, which sitemaps.org asks for. Other texts with a month alone are no dates."""
_ANY_TIME: Final = re.compile(r"\d:\d")
"""A time. If only the day beside it can be read, the time or its zone is impossible, and the date is none."""
_MONTHS_OF_YEAR: Final = 12
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


def read_source_date(text: str | None) -> datetime | None:
    """Returns the date of a feed or sitemap; a time without a zone is UTC. Returns None for a year alone, which is too
    vague, and for numbers of which either could be the day."""
    text = (text or "").strip()
    if not text or len(text) > MAX_SOURCE_DATE:
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
    if written.precision == "month" and not _W3C_MONTH.fullmatch(text):
        return None
    if written.precision == "day" and _ANY_TIME.search(text):
        return None
    is_certain = text[:4].isdecimal() or written == read_date(text, day_first=False)
    return written.when if is_certain else None


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
    return (clock and precision == "day" and _with_time(date, clock)) or Written(date, precision, False)


def _clock(text: str, match: re.Match[str]) -> re.Match[str] | None:
    """Returns the time next to a date: after it, else before it, else between its day and its year."""
    for pattern in (_TIME, _HOUR):
        places = [(match.end(), len(text)), (0, match.start())]
        if match.re is _NAME_FIRST:
            places.append(match.span())
        for place in places:
            for clock in pattern.finditer(text, *place):
                if pattern is _TIME or clock["unit"] is None or has_part_before(text, clock.start()):
                    return clock
    return None


def _day(parts: dict[str, str | None], day_first: bool) -> tuple[datetime, Precision] | None:
    """Returns the calendar day and its precision; None for an impossible day."""
    year = int(parts["year"] or 0) if "year" in parts else 2000 + int(parts["short"] or 0)
    if "one" in parts:
        one, two = int(parts["one"] or 0), int(parts["two"] or 0)
        if "short" in parts and parts["sep"] == "/" and max(one, two) <= _MONTHS_OF_YEAR:
            return None
        as_day_first = day_first or parts["sep"] not in {"/", "-"}
        day, month = (one, two) if (as_day_first and two <= _MONTHS_OF_YEAR) or one > _MONTHS_OF_YEAR else (two, one)
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


def _with_time(date: datetime, clock: re.Match[str]) -> Written | None:
    parts, text = clock.groupdict(), clock.string
    minute, second = int(parts.get("minute") or 0), int(parts.get("second") or 0)
    hour, end = hour_of_day(int(parts["hour"] or 0), text, clock.start("hour"), clock.end())
    try:
        offset = offset_after(text, end)
        if hour == 24 and minute == second == 0:  # the end of the day (ISO 8601)
            date, hour = date + timedelta(days=1), 0
        zone = timezone(timedelta(minutes=offset or 0))
        when = date.replace(hour=hour, minute=minute, second=min(second, 59), tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return Written(when, "second" if parts.get("second") else "minute", offset is not None, offset)
