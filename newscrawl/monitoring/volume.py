"""Decides whether a site has gone quiet: compares its new articles with its own past, by hour and weekday. Pure.

Hours are counted from 1970 (UTC). Only watched hours are counted, so that no site looks quiet because the crawler was
down. The expected articles of an hour are mean x hour of the day x weekday, each factor shrunk towards one by
pseudo-counts as in newscrawl.crawling.scheduling.sources. There are two tests:

- silence: since the last article at least `MIN_SILENCE` were expected, and clearly more than in any earlier pause of
  the site. The measure is articles, not hours, so a night, a weekend and a small site count little.
- a trickle: in the last day or three days `TRICKLE_EXPECTED` were expected and next to none came.

If the whole fleet is below its usual level (a holiday, an outage of ours), the same is expected of every site.
The numbers were chosen on simulated sites: docs/measurements/freshness.md and docs/explanation/watchdog.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Annotated, Final

from msgspec import Meta, Struct

from newscrawl.crawling.scheduling.sources import DAY_PSEUDO, DAYS, HOUR_PSEUDO, HOURS
from newscrawl.monitoring.problems import Judgement, Severity
from newscrawl.monitoring.samples import Count

SPAN: Final = 35 * 24
"""Hours of the past that are kept: five of each weekday."""
MAX_GAP: Final = 26
"""The longest pause between two crawls, in hours, after which no article is missed: feeds and news sitemaps list those
of a day or two."""
MIN_HOURS: Final = 8 * 24
MIN_ARTICLES: Final = 30
"""A site is judged fully once it has so many watched hours, with all weekdays among them, and so many articles."""
EARLY_HOURS: Final = 3 * 24
"""A site with so many watched hours and `MIN_ARTICLES` is judged cautiously: nothing is expected on Friday, Saturday
and Sunday, half of the usual on another day that was not watched before, and a silence must be as long as any that can
be required, and a day at least."""
EARLY_SHARE: Final = 0.5
EARLY_SILENT_HOURS: Final = 24
MONDAY: Final = 4
MID_WEEK: Final = frozenset({0, MONDAY, 5, 6})
"""Thursday, and Monday to Wednesday, as days since 1970 modulo 7. They are days of rest in no country. On a Monday it
is still Sunday in some country until noon UTC."""
MIN_SILENCE: Final = 14.0
"""Expected articles during a silence. In a Poisson process that is one silence in a million."""
MIN_SILENT_HOURS: Final = 8
"""The shortest silence in hours, however large the site. On a holiday a large site may have no article for hours."""
OWN_SILENCE: Final = 1.6
"""The silence must be this many times the longest one in the site's past ..."""
MAX_SILENCE: Final = 3 * MIN_SILENCE
"""... but never more than this, because otherwise one outage would hide the next."""
TRICKLE_HOURS: Final = (24, 72)
TRICKLE_EXPECTED: Final = 3 * MIN_SILENCE
TRICKLE_SHARE: Final = 0.1
NORMAL_SHARE: Final = 0.25
"""An alarm ends when at least this share of the expected articles came in the last twelve hours."""
CRITICAL: Final = 3.0
"""Multiple of the threshold from which an alarm is critical."""
BURST: Final = 6.0
"""For the mean, an hour counts with at most this many times the mean, or ten if that is more, because a backlog is no
regular rate."""
FLEET_WINDOW: Final = 24
FLEET_PSEUDO: Final = 10.0
MAX_PAUSE: Final = 48.0
"""The longest pause between two crawls, in hours, that counts as the usual one."""

Hour = Annotated[int, Meta(ge=0, lt=70_000_000)]
"""An hour as its number since 1970 (UTC), before the end of the calendar of Python."""


class VolumeBaseline(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """New articles by hour.

    `since` is None until the first crawl has ended. `through` is the first hour that is not known as watched. `skipped`
    are spans that were not watched. `gap` is the usual number of hours between two crawls, `crawled` the hour in which
    the last one ended.
    """

    since: Hour | None = None
    through: Hour = 0
    gap: Annotated[float, Meta(ge=1, le=MAX_PAUSE)] = 1.0
    crawled: Hour = 0
    skipped: list[tuple[Hour, Hour]] = []  # msgspec copies it for each baseline, here and below
    counts: dict[Hour, Count] = {}

    def __post_init__(self) -> None:
        if self.since is not None and not 0 <= self.through - self.since <= SPAN:
            raise ValueError(f"it does not cover up to {SPAN} hours")

    def add(self, found: datetime, published: datetime | None) -> None:
        """Adds a new article. It counts for the hour of its publication if that date is plausible."""
        if self.since is None:
            return
        appeared = found
        if published is not None and timedelta(0) <= found - published <= timedelta(hours=48):
            appeared = published
        hour = hour_number(appeared)
        if hour >= self.since and not any(a <= hour < b for a, b in self.skipped):
            self.counts[hour] = self.counts.get(hour, 0) + 1

    def crawl_ended(self, when: datetime) -> None:
        """Adds the end of a crawl of the site. A pause that is longer than usual counts at once, a shorter one
        slowly."""
        hour = hour_number(when)
        if self.crawled and hour > self.crawled:
            gap = float(hour - self.crawled)
            self.gap = max(1.0, min(gap, MAX_PAUSE) if gap > self.gap else 0.9 * self.gap + 0.1 * gap)
        self.crawled = max(self.crawled, hour)

    def watched_until(self, when: datetime) -> None:
        """Records that the site was watched and that the articles before `when` are counted."""
        hour = hour_number(when)
        if self.since is None:
            self.since = self.through = hour
            return
        if hour <= self.through:
            return
        gap = hour - self.through
        if gap > MAX_GAP:
            self._skip(hour - MAX_GAP)
        self.through = hour
        self._forget(hour - SPAN)

    def not_watched_until(self, when: datetime) -> None:
        """Records that the site was not watched until `when` (paused, quiet hours, not running): nothing is
        expected."""
        hour = hour_number(when)
        if self.since is None or hour <= self.through:
            return
        self._skip(hour)
        self.through = hour
        self._forget(hour - SPAN)

    def hours(self) -> list[int]:
        """Returns the watched hours in order."""
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
    """The judgement of a site's volume: articles `expected` and `seen` since `since`. `level` is the share of the
    expected articles of the last day that came."""

    expected: float = 0.0
    seen: int = 0
    level: float = 1.0


@dataclass(frozen=True, slots=True)
class Learning:
    """The knowledge of the watchdog about a site that it does not judge fully yet.

    `hours` were watched and `articles` counted in them, without those of the first crawl. From `cautious_from` on a
    site is judged cautiously, from `full_from` on fully, if it is watched all the time and articles come as before;
    None while no article came.
    """

    hours: int
    articles: int
    cautious_from: datetime | None
    full_from: datetime | None

    @property
    def is_cautious(self) -> bool:
        """Returns whether the site is judged cautiously already."""
        return self.hours >= EARLY_HOURS and self.articles >= MIN_ARTICLES


def hour_number(when: datetime) -> int:
    """Returns the number of full hours since 1970."""
    return int(when.timestamp()) // 3600


def moment_of(hour: int) -> datetime:
    """Returns the beginning of an hour with this number."""
    return datetime.fromtimestamp(hour * 3600, UTC)


def judge_volume(volume: VolumeBaseline, level: float = 1.0, least_hours: int = MIN_SILENT_HOURS) -> VolumeJudgement:
    """Returns the judgement at `volume.through`. `level` is the share of its usual volume that the whole fleet has."""
    hours = volume.hours()
    counts = volume.counts
    last = max((hour for hour in counts if hour < volume.through), default=None)
    # The articles since then are judged, so they are not part of what is usual.
    past = [hour for hour in hours if last is not None and hour <= last]
    if last is None or len(past) < EARLY_HOURS or sum(counts.get(hour, 0) for hour in past) < MIN_ARTICLES:
        return VolumeJudgement()
    is_early = len(past) < MIN_HOURS
    rates = _rates(past, counts)
    if is_early:
        least_hours = max(least_hours, EARLY_SILENT_HOURS)
    level = min(1.0, level)
    expected = [rates[hour % (HOURS * DAYS)] for hour in hours]
    longest = _longest_silence(hours, expected, counts, last)
    threshold = MAX_SILENCE if is_early else min(max(MIN_SILENCE, OWN_SILENCE * longest), MAX_SILENCE)
    silent = [articles for hour, articles in zip(hours, expected, strict=True) if hour > last]
    silence = level * sum(silent)
    today = _window(hours, expected, counts, FLEET_WINDOW)
    share = (today[1] + FLEET_PSEUDO) / (today[0] + FLEET_PSEUDO)
    reasons: list[tuple[float, VolumeJudgement]] = []
    if silence >= threshold and len(silent) >= least_hours:
        reasons.append(
            (silence / threshold, VolumeJudgement(True, None, False, moment_of(last + 1), silence, 0, share))
        )
    for span in TRICKLE_HOURS:
        awaited, seen = _window(hours, expected, counts, span)
        if level * awaited >= TRICKLE_EXPECTED and seen <= TRICKLE_SHARE * level * awaited:
            trickle = VolumeJudgement(True, None, False, moment_of(hours[-span:][0]), level * awaited, seen)
            reasons.append((level * awaited / TRICKLE_EXPECTED, trickle))
    if not reasons:
        return VolumeJudgement(True, None, _is_normal(hours, expected, counts, level, silence, threshold), level=share)
    grade, worst = max(reasons, key=lambda pair: pair[0])
    severity: Severity = "critical" if grade >= CRITICAL else "warning"
    return VolumeJudgement(True, severity, False, worst.since, worst.expected, worst.seen, share)


def _is_normal(
    hours: list[int], expected: list[float], counts: dict[int, int], level: float, silence: float, threshold: float
) -> bool:
    awaited, seen = _window(hours, expected, counts, 12)
    return silence < threshold / 2 and seen >= max(1.0, NORMAL_SHARE * level * awaited)


def _window(hours: list[int], expected: list[float], counts: dict[int, int], span: int) -> tuple[float, int]:
    """Returns the expected and the counted articles of the last `span` watched hours."""
    return sum(expected[-span:]), sum(counts.get(hour, 0) for hour in hours[-span:])


def _rates(past: list[int], counts: dict[int, int]) -> list[float]:
    """Returns the expected articles of each hour of the week, by hours since 1970 modulo 168."""
    most = max(10.0, BURST * sum(counts.get(hour, 0) for hour in past) / len(past))
    counted = [min(most, counts.get(hour, 0)) for hour in past]
    mean = sum(counted) / len(past)
    seen, watched = [0.0] * HOURS, [0.0] * HOURS
    for hour, number in zip(past, counted, strict=True):
        seen[hour % HOURS] += number
        watched[hour % HOURS] += mean
    by_hour = []
    for hour in range(HOURS):
        before, after = hour - 1, (hour + 1) % HOURS
        around = seen[hour] + (seen[before] + seen[after]) / 2
        expected = watched[hour] + (watched[before] + watched[after]) / 2
        by_hour.append((around + HOUR_PSEUDO) / (expected + HOUR_PSEUDO))
    seen, watched = [0.0] * DAYS, [0.0] * DAYS
    for hour, number in zip(past, counted, strict=True):
        day = hour // HOURS % DAYS
        seen[day] += number
        watched[day] += mean * by_hour[hour % HOURS]
    by_day = [(a + DAY_PSEUDO) / (b + DAY_PSEUDO) for a, b in zip(seen, watched, strict=True)]
    rates = [mean * by_hour[hour % HOURS] * by_day[hour // HOURS] for hour in range(HOURS * DAYS)]
    if len(past) >= MIN_HOURS:
        return rates
    watched_hours = Counter(hour // HOURS % DAYS for hour in past)
    return [rate * _early_share(hour, watched_hours) for hour, rate in enumerate(rates)]


def _early_share(hour: int, watched_hours: Mapping[int, int]) -> float:
    """Returns the share of the usual that is expected in an hour of the week of a site that is judged cautiously."""
    day = hour // HOURS
    if day not in MID_WEEK or (day == MONDAY and hour % HOURS < HOURS / 2):
        return 0.0
    return 1.0 if watched_hours.get(day, 0) >= HOURS else EARLY_SHARE


def _longest_silence(hours: list[int], expected: list[float], counts: dict[int, int], last: int) -> float:
    longest = waited = 0.0
    for hour, awaited in zip(hours, expected, strict=True):
        if hour > last:
            break
        waited = 0.0 if hour in counts else waited + awaited
        longest = max(longest, waited)
    return longest


def learning_of(volume: VolumeBaseline) -> Learning | None:
    """Returns what is known of a site; None if it is judged fully, and before its first crawl has ended."""
    if volume.since is None:
        return None
    last = max((hour for hour in volume.counts if hour < volume.through), default=None)
    past = [hour for hour in volume.hours() if last is not None and hour <= last]  # as judge_volume counts them
    articles = sum(volume.counts.get(hour, 0) for hour in past)
    if len(past) >= MIN_HOURS and articles >= MIN_ARTICLES:
        return None
    return Learning(
        len(past),
        articles,
        _when(volume, len(past), articles, EARLY_HOURS),
        _when(volume, len(past), articles, MIN_HOURS),
    )


def _when(volume: VolumeBaseline, hours: int, articles: int, needed: int) -> datetime | None:
    """Returns when `needed` hours and `MIN_ARTICLES` articles are there."""
    if not articles:
        return None
    more = max(0, needed - hours, ceil((MIN_ARTICLES - articles) * hours / articles))
    return moment_of(volume.through + more)
