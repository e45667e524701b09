"""When to read a source again. Pure: what is remembered of it and its latest visit in, the next visit out.

A visit is due when the entries that can be expected to wait unseen have waited, taken together, as long as one request
is worth (`SourcePolicy.patience`): the integral of rate(s) x (t - s). For a steady source that makes the interval
proportional to 1/sqrt(rate), which is what minimises the mean delay for a number of requests (the square-root law of
Cho and Garcia-Molina, "Effective page refresh policies for web crawlers", TODS 2003, section 5, for the age of copies);
with a rate that varies it puts the visits where the entries are. Bounds, floors and jitter come after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from typing import Any, Final

from newscrawl.model import SourcePlan, SourceVisit
from newscrawl.scheduling.arrival_rate import Yield

LONGEST: Final = timedelta(hours=4)
"""A source that answers is read this often whatever it brings, so that what is listed for six hours is seen even when
one visit fails."""

FIRST_RETRY: Final = timedelta(minutes=15)
RETIRE_AFTER: Final = timedelta(days=3)
"""A source that has failed for this long is retired; one that answers 404 or 410, sooner."""
RETIRE_GONE_AFTER: Final = timedelta(days=1)
GONE: Final = frozenset({404, 410})
RETIRED_INTERVAL: Final = timedelta(days=1)
RETIRED_LATER: Final = timedelta(days=7)
RETIRED_SOON: Final = timedelta(days=30)
"""A retired source is tried every day for so long, and every week from then on: many come back, as Media Cloud's
fetcher notes beside its list of soft errors (mediacloud/rss-fetcher, fetcher/tasks.py)."""

WATCHED_AT_MOST: Final = 12.0
"""Hours. After a longer pause (the crawler was off) what the source lists is not all it had."""
FIRST_LOOK: Final = 7 * 24.0
"""Hours. The entries of a first answer that are not older tell how often the source has some."""

HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class SourcePolicy:
    """What the operator may set.

    `patience` is what a request is worth, in hours of waiting of one article: 0.5 reads a source with two new entries
    an hour every 42 minutes, half as much patience every 30. `jitter` is the part by which an interval varies, so that
    sources do not march in step; `seed` makes it repeatable.
    """

    patience: float = 0.1
    shortest: timedelta = timedelta(minutes=4)
    longest: timedelta = LONGEST
    jitter: float = 0.1
    seed: str = ""


DEFAULT: Final = SourcePolicy()


def plan(memory: Mapping[str, Any] | None, visit: SourceVisit, policy: SourcePolicy = DEFAULT) -> SourcePlan:
    """The next visit after this one (model.SourceVisit says what of it counts).

    A source that asks to be left alone (`not_before`) is, at most for the longest interval if it answered.
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
        due = max(due, min(visit.not_before, visit.at + max(policy.longest, LONGEST)))
    return SourcePlan(due, seen.written(), round(seen.rate(now), 4))


def learn(seen: Yield, previous: float | None, now: float, dated: Sequence[float], undated: int) -> None:
    """Takes in a visit: the times (hours since 1970) of the new entries that say when they appeared, how many of them
    do not. A first answer tells by its dates how often the source has something; without dates, nothing."""
    if previous is None:
        recent = [time for time in dated if now - time < FIRST_LOOK]
        if dated:
            seen.observe(max(min(dated), now - FIRST_LOOK), now, recent)
        return
    previous = min(previous, now)
    start = max(previous, now - WATCHED_AT_MOST)
    inside = [time for time in dated if start < time]
    # A date before the last visit is the source's being late, or wrong: the entry came to be listed since.
    others = undated + len(dated) - len(inside) if start == previous else 0
    seen.observe(start, now, inside + [(start + now) / 2] * others)


def next_wait(seen: Yield, now: float, policy: SourcePolicy, share: float = 0.5) -> float:
    """Hours until the next visit; `share` between 0 and 1 places it inside the jitter."""
    longest = policy.longest.total_seconds() / HOUR
    wait = seen.until_waited(policy.patience, now, longest) * (1.0 + policy.jitter * (2 * share - 1))
    return min(max(wait, policy.shortest.total_seconds() / HOUR), longest)


def retry_pause(failures: int, failing: timedelta, status: int | None, *, retired: bool) -> tuple[timedelta, bool]:
    """How long to leave a source alone after so many failures in a row over the span `failing`, and whether it is
    retired: the pause grows, but ends before a six-hour listing does; a retired source is tried now and then."""
    if retired or failing >= (RETIRE_GONE_AFTER if status in GONE else RETIRE_AFTER):
        return (RETIRED_INTERVAL if failing < RETIRED_SOON else RETIRED_LATER), True
    return min(LONGEST, FIRST_RETRY * (1 << min(max(failures - 1, 0), 10))), False


def _after_failure(memory: Mapping[str, Any] | None, visit: SourceVisit) -> SourcePlan:
    failing = visit.at - (visit.failing_since or visit.at)
    pause, retired = retry_pause(visit.failures, failing, visit.status, retired=visit.retired_at is not None)
    due = visit.at + pause
    if visit.not_before is not None:
        due = max(due, visit.not_before)
    return SourcePlan(due, dict(memory) if memory is not None else None, 0.0, retired)


def _share(visit: SourceVisit, policy: SourcePolicy) -> float:
    """Where in its jitter this visit falls: the same for the same seed, source and second."""
    told = f"{policy.seed} {visit.url} {int(visit.at.timestamp())}".encode()
    return int.from_bytes(blake2b(told, digest_size=4).digest()) / 2**32
