"""Reads days and times in the forms that callers may use."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from newscrawl.errors import UsageError
from newscrawl.reports import Period


def period(day: date | None, since: date | None, until: date | None, *, by_local_day: bool) -> Period:
    """Returns the period of a day, or from `since` on and before `until`. Raises UsageError."""
    if day is not None:
        if since is not None or until is not None:
            raise UsageError("give either day, or since and until")
        if isinstance(day, datetime):
            raise UsageError(f"day={day!r} is a time: give a date, or since and until")
        begun = _moment("day", day)
        return Period(begun, _next(begun), by_local_day)
    start, end = moment("since", since), moment("until", until)
    if start is not None and end is not None and start >= end:
        raise UsageError(f"no time lies between since={since} and until={until}: give a later end")
    return Period(start, end, by_local_day)


def moment(name: str, value: date | None) -> datetime | None:
    """Returns a time in UTC; a date is its beginning in UTC. Raises UsageError for a time without a zone."""
    return None if value is None else _moment(name, value)


def _moment(name: str, value: date) -> datetime:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise UsageError(f"{name}={value!r} has no time zone: give an aware time, datetime(..., tzinfo=UTC)")
        return value.astimezone(UTC)
    if not isinstance(value, date):
        raise UsageError(f"{name}={value!r} is neither a date nor a time: give a datetime.date or datetime.datetime")
    return datetime.combine(value, time(), UTC)


def _next(day: datetime) -> datetime | None:
    """Returns the beginning of the next day; None after the last day that Python knows."""
    try:
        return day + timedelta(days=1)
    except OverflowError:
        return None
