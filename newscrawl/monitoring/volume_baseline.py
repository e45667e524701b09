"""Whether a site has gone quiet: its new articles against what its own past lets expect, by hour and weekday. Pure.

Hours are counted from 1970 (UTC). Only hours in which somebody looked are counted, so that a crawler that was down
makes no site look quiet. Expected articles of an hour are mean x hour of the day x weekday, each factor shrunk towards
one by pseudo-counts as in newscrawl.scheduling.arrival_rate. Two tests:

- silence: as many articles as `LEAST_SILENCE` were expected since the last one, and clearly more than this site ever
  left out before. Counted in articles, not in hours: a night, a weekend and a small site cost little.
- a trickle: over one or three days `TRICKLE_EXPECTED` were expected and next to none came.

Where the whole fleet is below its own level (a holiday, an outage of ours) every site is expected to be so too.
The numbers were chosen on made-up sites: benchmarks/watchdog.py and docs/explanation/watchdog.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from newscrawl.monitoring.judgement import Judgement, Severity
from newscrawl.scheduling.arrival_rate import DAY_PSEUDO, DAYS, HOUR_PSEUDO, HOURS

SPAN: Final = 35 * 24
"""Hours of the past that are kept: five of each weekday."""
LONGEST_GAP: Final = 26
"""Hours between two crawls of which the later still sees everything: feeds and news sitemaps hold a day or two."""
LEAST_HOURS: Final = 8 * 24
LEAST_ARTICLES: Final = 30
"""A site is judged once it was watched for a week and a day, so that each weekday was seen, and had so much."""
LEAST_SILENCE: Final = 14.0
"""Expected articles without one. By a Poisson process alone that is one silence in a million."""
LEAST_SILENT_HOURS: Final = 8
"""Of a site, however large: on a holiday a site that has an article every few minutes may have none for hours."""
OWN_SILENCE: Final = 1.6
"""So many times the longest silence of the site's own past ..."""
MOST_SILENCE: Final = 3 * LEAST_SILENCE
"""... but no more than this, or one outage would hide the next."""
TRICKLE_HOURS: Final = (24, 72)
TRICKLE_EXPECTED: Final = 3 * LEAST_SILENCE
TRICKLE_SHARE: Final = 0.1
NORMAL_SHARE: Final = 0.25
"""An alarm ends when the last half day brought this part of what was expected."""
CRITICAL: Final = 3.0
"""Times the threshold."""
BURST: Final = 6.0
"""An hour counts for the mean with at most so many times the mean, and ten articles: a backlog is no rhythm."""
FLEET_WINDOW: Final = 24
FLEET_PSEUDO: Final = 10.0


@dataclass(slots=True)
class VolumeBaseline:
    """New articles by hour. `since` is None until a first crawl has ended, `through` is the first hour not yet known as
    watched, `skipped` are spans in which nobody looked, `gap` is how many hours usually lie between two crawls,
    `crawled` the hour in which the last one ended."""

    since: int | None = None
    through: int = 0
    gap: float = 1.0
    crawled: int = 0
    skipped: list[tuple[int, int]] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)

    def add(self, found: datetime, published: datetime | None) -> None:
        """One more new article. It counts for the hour in which it appeared, if its date can be that."""
        if self.since is None:
            return
        appeared = found
        if published is not None and timedelta(0) <= found - published <= timedelta(hours=48):
            appeared = published
        hour = hour_number(appeared)
        if hour >= self.since and not any(a <= hour < b for a, b in self.skipped):
            self.counts[hour] = self.counts.get(hour, 0) + 1

    def crawl_ended(self, when: datetime) -> None:
        """A crawl of the site ended; the pause before it counts at once when it is longer than usual."""
        hour = hour_number(when)
        if self.crawled and hour > self.crawled:
            gap = float(hour - self.crawled)
            self.gap = max(1.0, min(gap, 48.0) if gap > self.gap else 0.9 * self.gap + 0.1 * gap)
        self.crawled = max(self.crawled, hour)

    def watched_until(self, when: datetime) -> None:
        """Somebody looked, and what appeared before `when` is counted."""
        hour = hour_number(when)
        if self.since is None:
            self.since = self.through = hour
            return
        if hour <= self.through:
            return
        gap = hour - self.through
        if gap > LONGEST_GAP:
            self._skip(hour - LONGEST_GAP)
        self.through = hour
        self._forget(hour - SPAN)

    def not_watched_until(self, when: datetime) -> None:
        """Nobody looked, and nothing that appeared before `when` is expected: paused, quiet hours, not running."""
        hour = hour_number(when)
        if self.since is None or hour <= self.through:
            return
        self._skip(hour)
        self.through = hour
        self._forget(hour - SPAN)

    def hours(self) -> list[int]:
        """The watched hours, in order."""
        if self.since is None:
            return []
        at, watched = self.since, list[int]()
        for a, b in self.skipped:
            watched += range(at, a)
            at = max(at, b)
        return [*watched, *range(at, self.through)]

    def _skip(self, until: int) -> None:
        for missed in [hour for hour in self.counts if self.through <= hour < until]:
            del self.counts[missed]
        if self.skipped and self.skipped[-1][1] == self.through:
            self.skipped[-1] = (self.skipped[-1][0], until)
        else:
            self.skipped.append((self.through, until))

    def _forget(self, before: int) -> None:
        if self.since is not None and self.since < before:
            self.since = before
            self.counts = {hour: number for hour, number in self.counts.items() if hour >= before}
            self.skipped = [(max(a, before), b) for a, b in self.skipped if b > before]


@dataclass(frozen=True, slots=True)
class VolumeJudgement(Judgement):
    """What a site's volume says now: `expected` and `seen` are of the span since `since`; `level` is what came in the
    last day over what was expected."""

    expected: float = 0.0
    seen: int = 0
    level: float = 1.0


def hour_number(when: datetime) -> int:
    """Full hours since 1970."""
    return int(when.timestamp()) // 3600


def moment_of(hour: int) -> datetime:
    """When an hour (as `hour_number` counts) begins."""
    return datetime.fromtimestamp(hour * 3600, UTC)


def judge_volume(volume: VolumeBaseline, level: float = 1.0, least_hours: int = LEAST_SILENT_HOURS) -> VolumeJudgement:
    """The judgement at `volume.through`. `level` is how much of its usual volume the whole fleet has now."""
    hours = volume.hours()
    counts = volume.counts
    last = max((hour for hour in counts if hour < volume.through), default=None)
    # What came since is what is judged: it says nothing of what is usual.
    past = [hour for hour in hours if last is not None and hour <= last]
    if last is None or len(past) < LEAST_HOURS or sum(counts.get(hour, 0) for hour in past) < LEAST_ARTICLES:
        return VolumeJudgement()
    rates = _rates(past, counts)
    level = min(1.0, level)
    expected = [rates[hour % (HOURS * DAYS)] for hour in hours]
    longest = _longest_silence(hours, expected, counts, last)
    threshold = min(max(LEAST_SILENCE, OWN_SILENCE * longest), MOST_SILENCE)
    silent = [e for hour, e in zip(hours, expected, strict=True) if hour > last]
    silence = level * sum(silent)
    today = _window(hours, expected, counts, FLEET_WINDOW)
    share = (today[1] + FLEET_PSEUDO) / (today[0] + FLEET_PSEUDO)
    found: list[tuple[float, VolumeJudgement]] = []
    if silence >= threshold and len(silent) >= least_hours:
        found.append((silence / threshold, VolumeJudgement(True, None, False, moment_of(last + 1), silence, 0, share)))
    for span in TRICKLE_HOURS:
        awaited, seen = _window(hours, expected, counts, span)
        if level * awaited >= TRICKLE_EXPECTED and seen <= TRICKLE_SHARE * level * awaited:
            trickle = VolumeJudgement(True, None, False, moment_of(hours[-span:][0]), level * awaited, seen)
            found.append((level * awaited / TRICKLE_EXPECTED, trickle))
    if not found:
        return VolumeJudgement(True, None, _is_normal(hours, expected, counts, level, silence, threshold), level=share)
    grade, worst = max(found, key=lambda pair: pair[0])
    severity: Severity = "critical" if grade >= CRITICAL else "warning"
    return VolumeJudgement(True, severity, False, worst.since, worst.expected, worst.seen, share)


def _is_normal(
    hours: list[int], expected: list[float], counts: dict[int, int], level: float, silence: float, threshold: float
) -> bool:
    awaited, seen = _window(hours, expected, counts, 12)
    return silence < threshold / 2 and seen >= max(1.0, NORMAL_SHARE * level * awaited)


def _window(hours: list[int], expected: list[float], counts: dict[int, int], span: int) -> tuple[float, int]:
    """Expected and seen in the last so many watched hours."""
    return sum(expected[-span:]), sum(counts.get(hour, 0) for hour in hours[-span:])


def _rates(past: list[int], counts: dict[int, int]) -> list[float]:
    """Expected articles for each hour of the week, by hours since 1970 modulo 168."""
    most = max(10.0, BURST * sum(counts.get(hour, 0) for hour in past) / len(past))
    came = [min(most, counts.get(hour, 0)) for hour in past]
    mean = sum(came) / len(past)
    seen, watched = [0.0] * HOURS, [0.0] * HOURS
    for hour, number in zip(past, came, strict=True):
        seen[hour % HOURS] += number
        watched[hour % HOURS] += mean
    by_hour = []
    for hour in range(HOURS):
        before, after = hour - 1, (hour + 1) % HOURS
        around = seen[hour] + (seen[before] + seen[after]) / 2
        expected = watched[hour] + (watched[before] + watched[after]) / 2
        by_hour.append((around + HOUR_PSEUDO) / (expected + HOUR_PSEUDO))
    seen, watched = [0.0] * DAYS, [0.0] * DAYS
    for hour, number in zip(past, came, strict=True):
        day = hour // HOURS % DAYS
        seen[day] += number
        watched[day] += mean * by_hour[hour % HOURS]
    by_day = [(a + DAY_PSEUDO) / (b + DAY_PSEUDO) for a, b in zip(seen, watched, strict=True)]
    return [mean * by_hour[hour % HOURS] * by_day[hour // HOURS] for hour in range(HOURS * DAYS)]


def _longest_silence(hours: list[int], expected: list[float], counts: dict[int, int], last: int) -> float:
    longest = waited = 0.0
    for hour, awaited in zip(hours, expected, strict=True):
        if hour > last:
            break
        waited = 0.0 if hour in counts else waited + awaited
        longest = max(longest, waited)
    return longest
