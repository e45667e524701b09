"""Reads the earliest next visit that a source allows, from caching headers and the update period that a feed states.

Cache-Control and Expires (RFC 9111, sections 4.2 and 5), `ttl`, `skipHours` and `skipDays` (RSS 2.0), `updatePeriod`
and `updateFrequency` (RDF Site Summary 1.0, syndication module). None delays a visit by more than the longest interval,
because a feed that may be cached for a year still lists news. Retry-After is read elsewhere
(scheduling.host.read_retry_after).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from newscrawl.crawling.scheduling.sources import MAX_INTERVAL

_SECONDS: Final = re.compile(r"\b(s-maxage|max-age)\s*=\s*\"?(\d{1,9})")
_NEVER_KEPT: Final = re.compile(r"\bno-(?:store|cache)\b")


def not_before(
    headers: Mapping[str, str],
    now: datetime,
    *,
    update_interval: timedelta | None = None,
    skip_hours: Collection[int] = (),
    skip_days: Collection[int] = (),
) -> datetime | None:
    """Returns the earliest visit after one at `now` that a source allows, at most `MAX_INTERVAL` ahead; None if it
    states none.

    `headers` have lower-case names. `update_interval` is a feed's `ttl` or update period; `skip_hours` are hours of the
    day (UTC), `skip_days` weekdays (Monday is 0) in which it asks not to be read.
    """
    waits = [wait for wait in (freshness(headers, now), update_interval) if wait is not None and wait > timedelta(0)]
    if not waits and not skip_hours and not skip_days:
        return None
    earliest = now + min(max(waits, default=timedelta(0)), MAX_INTERVAL)
    return min(_after_skipped(earliest, skip_hours, skip_days), now + MAX_INTERVAL)


def freshness(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """Returns how long an answer may still be cached (RFC 9111, section 4.2): the shared age limit minus its Age."""
    control = headers.get("cache-control", "").lower()
    if _NEVER_KEPT.search(control):
        return timedelta(0)
    limits = dict(_SECONDS.findall(control))
    stated = limits.get("s-maxage") or limits.get("max-age")
    if stated is None:
        return _until(headers.get("expires"), headers.get("date"), now)
    age = headers.get("age", "").strip()
    return timedelta(seconds=max(0, int(stated) - (int(age[:9]) if age.isascii() and age.isdigit() else 0)))


def _until(expires: str | None, date: str | None, now: datetime) -> timedelta | None:
    end = _moment(expires)
    if end is None:
        return None
    return max(timedelta(0), end - (_moment(date) or now))


def _moment(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _after_skipped(moment: datetime, hours: Collection[int], days: Collection[int]) -> datetime:
    """Returns the first time from this one on that is in no skipped hour or day, or a week later if there is none."""
    for _ in range(7 * 24):
        utc = moment.astimezone(UTC)
        if utc.hour not in hours and utc.weekday() not in days:
            break
        moment = utc.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return moment
