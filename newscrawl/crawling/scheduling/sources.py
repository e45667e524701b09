"""Decides when to read a source again, from its stored state and its latest visit, and reads what the source itself
says about that. Pure.

A visit is due when the expected unseen entries have together waited `SourcePolicy.patience` hours: this is the integral
of rate(s) x (t - s). For a steady source the interval is then proportional to 1/sqrt(rate). That minimises the mean
delay for a number of requests (the square-root law of Cho and Garcia-Molina, "Effective page refresh policies for web
crawlers", TODS 2003, section 5, for the age of copies). With a rate that varies, visits come when entries do. Limits,
floors and jitter are applied afterwards.

A source allows no earlier visit by Cache-Control and Expires (RFC 9111, sections 4.2 and 5), `ttl`, `skipHours` and
`skipDays` (RSS 2.0), `updatePeriod` and `updateFrequency` (RDF Site Summary 1.0, syndication module). None delays a
visit by more than the longest interval, because a feed that may be cached for a year still lists news. Retry-After is
read elsewhere (scheduling.host.read_retry_after).

How many new entries a source has in each hour is learned from the results of its visits:

    rate(t) = base x hour(t) x weekday(t) x burst(t)

Each factor is a number of entries observed over the number expected without it, both with the same pseudo-count added.
That is the mean of a Gamma distribution around 1 after these Poisson events. With few observations the factor stays
near 1, so random differences do not look like a pattern; with more entries it becomes more exact (empirical Bayes
shrinkage; Efron and Morris, "Data analysis using Stein's estimator", 1975). Older observations fade, those of the burst
within the hour.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from hashlib import blake2b
from typing import Any, Final

from newscrawl.model import HARMFUL, SourcePlan, SourceVisit

HOURS: Final = 24
DAYS: Final = 7
EPOCH_WEEKDAY: Final = 3
"""1 January 1970 was a Thursday."""

PRIOR_HOURS: Final = 4.0
PRIOR_ENTRIES: Final = 2.0
"""An unknown source counts as one that had an entry every two hours, until as many hours have been watched."""
HOUR_PSEUDO: Final = 4.0
DAY_PSEUDO: Final = 20.0
BURST_PSEUDO: Final = 2.0
"""Entries that must have been seen before an hour's, a weekday's or the last hour's own number outweighs the mean."""
MEMORY_HALF_LIFE: Final = 14 * 24.0
BURST_HALF_LIFE: Final = 0.75
FADE_STEP: Final = 6.0
"""Hours between two fadings of the sums. Fading at every visit would cost time and change little."""


def hour_of(time: float) -> int:
    """Returns the hour of the day (UTC) of a time in hours since 1970."""
    return int(time) % HOURS


def weekday_of(time: float) -> int:
    """Returns the day of the week of a time in hours since 1970; Monday is 0."""
    return (int(time) // HOURS + EPOCH_WEEKDAY) % DAYS


def by_hour(start: float, end: float) -> Iterator[tuple[float, float]]:
    """Yields the span in pieces cut at full hours, as (start, length)."""
    while start < end:
        stop = min(float(int(start) + 1), end)
        yield start, stop - start
        start = stop


@dataclass(slots=True)
class Yield:
    """The observations of a source; times in hours since 1970. `entries` divided by `hours` is the base rate; the lists
    hold observed and expected entries by hour and by weekday."""

    entries: float = 0.0
    hours: float = 0.0
    hour_seen: list[float] = field(default_factory=lambda: [0.0] * HOURS)
    hour_expected: list[float] = field(default_factory=lambda: [0.0] * HOURS)
    day_seen: list[float] = field(default_factory=lambda: [0.0] * DAYS)
    day_expected: list[float] = field(default_factory=lambda: [0.0] * DAYS)
    burst_seen: float = 0.0
    burst_expected: float = 0.0
    at: float = 0.0
    faded: float = 0.0

    @classmethod
    def read(cls, memory: Mapping[str, Any] | None) -> Yield:
        """Reads what `written` returned; anything else, such as the memory of a later version, counts as no
        observations."""
        try:
            numbers = [float(memory[name]) for name in _NUMBERS] if memory else []
            lists = [[float(n) for n in memory[name]] for name in _LISTS] if memory else []
        except (KeyError, TypeError, ValueError):
            return cls()
        if not numbers or [len(values) for values in lists] != [HOURS, HOURS, DAYS, DAYS]:
            return cls()
        entries, hours, *others = numbers
        return cls(entries, hours, lists[0], lists[1], lists[2], lists[3], *others)

    def written(self) -> dict[str, Any]:
        """Returns the observations as JSON values, about 600 bytes."""
        numbers = {name: round(getattr(self, name), 5) for name in _NUMBERS}
        return numbers | {name: [round(n, 3) for n in getattr(self, name)] for name in _LISTS}

    @property
    def base(self) -> float:
        """Entries an hour, over all hours."""
        return (self.entries + PRIOR_ENTRIES) / (self.hours + PRIOR_HOURS)

    def pattern(self, time: float) -> float:
        """Returns the factor of this hour and weekday. Neighbouring hours count half, as rhythms change gradually."""
        hour, day = hour_of(time), weekday_of(time)
        return self._hour(hour) * (self.day_seen[day] + DAY_PSEUDO) / (self.day_expected[day] + DAY_PSEUDO)

    def burst(self) -> float:
        """Returns the factor of the last hour, at the time of the last visit."""
        return (self.burst_seen + BURST_PSEUDO) / (self.burst_expected + BURST_PSEUDO)

    def rate(self, time: float) -> float:
        """Returns the expected entries an hour at a time not before the last visit. A burst fades with
        `BURST_HALF_LIFE`."""
        left: float = 0.5 ** ((time - self.at) / BURST_HALF_LIFE)
        return self.base * self.pattern(time) * (1.0 + (self.burst() - 1.0) * left)

    def until_waited(self, patience: float, now: float, longest: float) -> float:
        """Returns the hours from `now` until the expected entries have together waited `patience` hours, at most
        `longest`."""
        base, burst = self.base, self.burst() - 1.0
        waited = expected = 0.0
        for start, length in by_hour(now, now + longest):
            over = start + length / 2 - self.at
            rate = base * self.pattern(start) * (1.0 + burst * 0.5 ** (over / BURST_HALF_LIFE))
            grown = waited + expected * length + rate * length * length / 2
            if grown >= patience:
                # The t at which waited + expected t + rate t^2 / 2 reaches the patience.
                left = patience - waited
                return start - now + 2 * left / (expected + math.sqrt(expected * expected + 2 * rate * left))
            waited, expected = grown, expected + rate * length
        return longest

    def observe(self, start: float, end: float, times: Sequence[float]) -> None:
        """Adds the observation that a source was watched from `start` to `end` and had entries at these times."""
        self._fade(end)
        base = self.base
        expected = 0.0
        for at, length in by_hour(start, end):
            hour, day = hour_of(at), weekday_of(at)
            by_base = base * length
            by_pattern = by_base * self._hour(hour)
            expected += by_base * self.pattern(at)
            self.hour_expected[hour] += by_base
            self.day_expected[day] += by_pattern
        for time in times:
            self.hour_seen[hour_of(time)] += 1.0
            self.day_seen[weekday_of(time)] += 1.0
        left = 0.5 ** (max(0.0, end - self.at) / BURST_HALF_LIFE)
        self.burst_seen = self.burst_seen * left + len(times)
        self.burst_expected = self.burst_expected * left + expected
        self.entries += len(times)
        self.hours += end - start
        self.at = end

    def _hour(self, hour: int) -> float:
        before, after = hour - 1, (hour + 1) % HOURS
        seen, expected = self.hour_seen, self.hour_expected
        around = seen[hour] + (seen[before] + seen[after]) / 2
        return (around + HOUR_PSEUDO) / (expected[hour] + (expected[before] + expected[after]) / 2 + HOUR_PSEUDO)

    def _fade(self, now: float) -> None:
        if now - self.faded < FADE_STEP:
            return
        left = 0.5 ** ((now - self.faded) / MEMORY_HALF_LIFE) if self.faded else 1.0
        for values in (self.hour_seen, self.hour_expected, self.day_seen, self.day_expected):
            values[:] = [value * left for value in values]
        self.entries *= left
        self.hours *= left
        self.faded = now


_NUMBERS: Final = ("entries", "hours", "burst_seen", "burst_expected", "at", "faded")
_LISTS: Final = ("hour_seen", "hour_expected", "day_seen", "day_expected")


MAX_INTERVAL: Final = timedelta(hours=4)
"""The longest interval of a source that answers, however few entries it has: an entry that is listed for six hours is
seen even if one visit fails."""

FIRST_RETRY: Final = timedelta(minutes=5)
"""Pause after a first failure, which then doubles. It is also the pause between two requests by which a site is tried
that has given no answer for less than a day (newscrawl.storage.frontier.source_state)."""
AFTER_HARM: Final = timedelta(minutes=15)
"""Pause after a first failure of a source that exceeded a limit or killed its worker (model.HARMFUL)."""
RETIRE_AFTER: Final = timedelta(days=3)
"""A source that has failed for this long is retired. One that answers 404 or 410 is retired after
`RETIRE_GONE_AFTER`."""
RETIRE_GONE_AFTER: Final = timedelta(days=1)
GONE: Final = frozenset({404, 410})
RETIRED_INTERVAL: Final = timedelta(days=1)
RETIRED_LATER: Final = timedelta(days=7)
RETIRED_SOON: Final = timedelta(days=30)
"""A retired source is tried every day until it has failed for this long, then every week: many come back, as Media
Cloud's fetcher notes beside its list of soft errors (mediacloud/rss-fetcher, fetcher/tasks.py)."""

MAX_WATCHED: Final = 12.0
"""Hours. After a longer pause (the crawler was off) the source no longer lists all entries that it had."""
FIRST_LOOK: Final = 7 * 24.0
"""Hours. From a source's first answer, only entries at most this old are used to estimate its rate."""

HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class SourcePolicy:
    """The settings of an operator.

    `patience` is the waiting time, in hours of one article, that justifies a request: with 0.5 a source with two new
    entries an hour is read every 42 minutes, with 0.25 every 30. `jitter` is the fraction by which an interval varies,
    so that sources are not read all at once; `seed` makes it repeatable.
    """

    patience: float = 0.1
    shortest: timedelta = timedelta(minutes=4)
    longest: timedelta = MAX_INTERVAL
    jitter: float = 0.1
    seed: str = ""


DEFAULT: Final = SourcePolicy()


def plan(memory: Mapping[str, Any] | None, visit: SourceVisit, policy: SourcePolicy = DEFAULT) -> SourcePlan:
    """Returns the next visit after this one.

    A source is not read before its `not_before`; if it answered, that is honoured for at most the longest interval.
    """
    if visit.failure is not None:
        return _after_failure(memory, visit)
    seen = Yield.read(memory)
    now = visit.at.timestamp() / HOUR
    previous = visit.previous.timestamp() / HOUR if visit.previous is not None else None
    dated = [date.timestamp() / HOUR for date in visit.fresh if date is not None and date <= visit.at]
    learn(seen, previous, now, dated, len(visit.fresh) - len(dated))
    wait = next_wait(seen, now, policy, _share(visit, policy))
    due = visit.at + timedelta(hours=wait)
    if visit.not_before is not None:
        due = max(due, min(visit.not_before, visit.at + max(policy.longest, MAX_INTERVAL)))
    return SourcePlan(due, seen.written(), round(seen.rate(now), 4))


def learn(seen: Yield, previous: float | None, now: float, dated: Sequence[float], undated: int) -> None:
    """Adds a visit to `seen`. `dated` are the times (hours since 1970) of new entries that state one; `undated` counts
    the others. For a first answer (`previous` is None) only dates are used; without any, nothing is learned."""
    if previous is None:
        recent = [time for time in dated if now - time < FIRST_LOOK]
        if dated:
            seen.observe(max(min(dated), now - FIRST_LOOK), now, recent)
        return
    previous = min(previous, now)
    start = max(previous, now - MAX_WATCHED)
    inside = [time for time in dated if start < time]
    # An entry dated before the last visit was listed late or is misdated: it was added since that visit.
    others = undated + len(dated) - len(inside) if start == previous else 0
    seen.observe(start, now, inside + [(start + now) / 2] * others)


def next_wait(seen: Yield, now: float, policy: SourcePolicy, share: float = 0.5) -> float:
    """Returns the hours until the next visit; `share` between 0 and 1 is its place within the jitter."""
    longest = policy.longest.total_seconds() / HOUR
    wait = seen.until_waited(policy.patience, now, longest) * (1.0 + policy.jitter * (2 * share - 1))
    return min(max(wait, policy.shortest.total_seconds() / HOUR), longest)


def retry_pause(
    failures: int, failing: timedelta, status: int | None, *, retired: bool, first: timedelta = FIRST_RETRY
) -> tuple[timedelta, bool]:
    """Returns the pause after `failures` failures in a row, the first of them `failing` ago, and whether the source is
    retired. The pause begins with `first` and doubles up to `MAX_INTERVAL`, so that entries listed for six hours are
    not missed. A retired source is tried daily, after 30 days weekly."""
    if retired or failing >= (RETIRE_GONE_AFTER if status in GONE else RETIRE_AFTER):
        return (RETIRED_INTERVAL if failing < RETIRED_SOON else RETIRED_LATER), True
    return min(MAX_INTERVAL, first * (1 << min(max(failures - 1, 0), 10))), False


def _after_failure(memory: Mapping[str, Any] | None, visit: SourceVisit) -> SourcePlan:
    failing = visit.at - (visit.failing_since or visit.at)
    first = AFTER_HARM if visit.failure in HARMFUL else FIRST_RETRY
    is_retired = visit.retired_at is not None
    pause, retired = retry_pause(visit.failures, failing, visit.status, retired=is_retired, first=first)
    due = visit.at + pause
    if visit.not_before is not None:
        due = max(due, visit.not_before)
    return SourcePlan(due, dict(memory) if memory is not None else None, 0.0, retired)


def _share(visit: SourceVisit, policy: SourcePolicy) -> float:
    """Returns the visit's place within the jitter: the same for the same seed, source and second."""
    named = f"{policy.seed} {visit.url} {int(visit.at.timestamp())}".encode()
    return int.from_bytes(blake2b(named, digest_size=4).digest()) / 2**32


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
