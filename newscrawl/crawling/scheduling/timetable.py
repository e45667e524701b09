"""A site's own timetable, if its operator gives one: a cron expression, an interval, quiet hours. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from newscrawl.errors import UsageError

MIN_INTERVAL: Final = timedelta(minutes=1)
"""The shortest interval between two starts that a timetable may have."""


@dataclass(frozen=True, slots=True)
class Timetable:
    """When a site is crawled instead of when its sources are due. At most one of `cron` and `interval` is set. The site
    is not crawled in quiet hours (pairs of from and to, also over midnight). Cron and quiet hours are in `zone`, UTC if
    that is None."""

    cron: str | None = None
    interval: timedelta | None = None
    quiet: tuple[tuple[time, time], ...] = ()
    zone: ZoneInfo | None = None

    @classmethod
    def of(
        cls, *, cron: str | None = None, every: float | None = None, quiet: str | None = None, zone: str | None = None
    ) -> Timetable:
        """Builds a timetable from the values of a declaration: `every` in seconds, `quiet` like
        "23:00-06:00, 12:00-13:00", `zone` like "Europe/Berlin". Raises UsageError for an unreadable value."""
        if cron is not None and every is not None:
            raise UsageError("a timetable has both a cron expression and an interval: give one")
        if cron is not None:
            _check(cron)
        if every is not None and not every >= MIN_INTERVAL.total_seconds():
            raise UsageError(f"interval {every:g} s is too short: give at least {MIN_INTERVAL.total_seconds():g}")
        interval = timedelta(seconds=every) if every is not None else None
        return cls(cron, interval, _spans(quiet or ""), _zone(zone))

    @property
    def is_fixed(self) -> bool:
        """Whether the timetable sets the times of crawls (a cron expression or an interval)."""
        return self.cron is not None or self.interval is not None

    def next_start(self, last: datetime | None, now: datetime) -> datetime | None:
        """Returns when the next crawl starts, given the start of the last one; a time not after `now` means that it is
        due. Returns None without cron and interval.

        Cron times that passed while nothing ran are made up for by one crawl together.
        """
        if self.interval is not None:
            return now if last is None else min(last, now) + self.interval
        if self.cron is None:
            return None
        after = (min(last, now) if last is not None else now - MIN_INTERVAL).astimezone(self.zone or UTC)
        return next(CronSim(self.cron, after)).astimezone(UTC)

    def is_quiet(self, now: datetime) -> bool:
        """Returns whether `now` is in quiet hours."""
        clock = now.astimezone(self.zone or UTC).time()
        return any(a <= clock < b if a <= b else (clock >= a or clock < b) for a, b in self.quiet)


def _check(cron: str) -> None:
    try:
        next(CronSim(cron, datetime(2026, 1, 1, tzinfo=UTC)))
    except (CronSimError, StopIteration) as error:
        raise UsageError(f"cron expression {cron!r} cannot be read: write it like '*/15 6-22 * * *'") from error


def _spans(quiet: str) -> tuple[tuple[time, time], ...]:
    spans = []
    for part in filter(None, map(str.strip, quiet.split(","))):
        begin, _, end = part.partition("-")
        try:
            spans.append((time.fromisoformat(begin.strip()), time.fromisoformat(end.strip())))
        except ValueError as error:
            raise UsageError(f"quiet hours {part!r} cannot be read: write them like '23:00-06:00'") from error
    return tuple(spans)


def _zone(name: str | None) -> ZoneInfo | None:
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"time zone {name!r} is not known: write it like 'Europe/Berlin'") from error
