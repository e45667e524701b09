"""When a host may be asked again: pure transitions over a frozen state, `now` is a parameter.

One component owns the delay of a host. It is the largest of four numbers and nothing lowers it:

    site setting    what the operator (or the site's declaration) asks for
    Crawl-delay     what the host's robots.txt asks for, up to `MAX_CRAWL_DELAY`
    back-off        doubles with each answer that says "too much" or fails, halves with each good one
    latency         a smoothed mean of how long the host takes to answer: a host that slows down is asked less often

The delay counts from the end of one request to the start of the next (as Heritrix and Nutch count it), so whatever
the network does to the two, the host never sees them closer than the delay. Jitter only lengthens it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

MAX_CRAWL_DELAY: Final = 300.0
"""Seconds. The cap other crawlers use is 300 (crawler-commons) or 30 (Nutch, StormCrawler); we take the politer."""

MAX_LATENCY: Final = 30.0
"""Seconds. No request lasts longer (DOWNLOAD_TIMEOUT), so no mean of them does."""

MAX_RETRY_AFTER: Final = 86_400.0
"""Seconds. A Retry-After beyond a day is read as a day: it is asked again after that, whatever it said."""

MAX_JITTER: Final = 1.3
"""A delay is lengthened by up to this factor, so that many crawlers started together drift apart."""

TOO_MUCH: Final = frozenset({429, 503})
"""Statuses with which a host asks for rest (RFC 6585, section 4; RFC 9110, section 15.6.4)."""

LATENCY_WEIGHT: Final = 0.25
"""Weight of the newest answer in the smoothed latency: four answers make most of it."""


FIRST_ERROR: Final = 1.0
"""Seconds of back-off after a first error: a lost connection is often lost by chance."""


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """What the operator sets for all hosts; seconds throughout."""

    delay: float = 1.0
    first_rest: float = 5.0
    """Back-off after the first 429 or 503 that names no time."""
    first_error: float = FIRST_ERROR
    """Back-off after the first 5xx or network error."""
    max_rest: float = 3600.0
    max_error: float = 60.0
    """Errors are often the page's, not the host's: their back-off stops growing earlier than a plea's for rest."""
    longest_wait: float = 3600.0
    """A host that rests longer than this gets no more requests in this round."""


@dataclass(frozen=True, slots=True)
class HostState:
    """What is known of a host: numbers in seconds, moments aware and in UTC."""

    crawl_delay: float = 0.0
    backoff: float = 0.0
    latency: float = 0.0
    failures: int = 0
    """Answers in a row that were a plea for rest or an error."""
    last_request_at: datetime | None = None
    """End of the latest request."""
    not_before: datetime | None = None
    """What the host itself asked for with Retry-After, or the end of a rest."""


def delay_of(state: HostState, policy: HostPolicy) -> float:
    """The delay in force now, in seconds, without jitter."""
    return max(policy.delay, state.crawl_delay, state.backoff, state.latency)


def next_request_at(state: HostState, policy: HostPolicy, now: datetime, jitter: float = 1.0) -> datetime:
    """The earliest moment for the next request, never before `now`. `jitter` below 1 counts as 1: it only lengthens."""
    moments = [now]
    if state.last_request_at is not None:
        stretch = min(max(jitter, 1.0), MAX_JITTER)
        moments.append(state.last_request_at + timedelta(seconds=delay_of(state, policy) * stretch))
    if state.not_before is not None:
        moments.append(state.not_before)
    return max(moments)


def is_resting(state: HostState, policy: HostPolicy, now: datetime) -> bool:
    """Whether the host is to be left alone for the rest of this round."""
    wait = next_request_at(state, policy, now) - now
    return wait > timedelta(seconds=max(policy.longest_wait, MAX_CRAWL_DELAY))


def after_response(
    state: HostState, policy: HostPolicy, *, status: int | None, retry_after: str | None, latency: float, now: datetime
) -> HostState:
    """The state after a request ended: `status` is None for a network error, `latency` its duration in seconds."""
    state = replace(state, last_request_at=now, latency=_smoothed(state.latency, latency))
    if status in TOO_MUCH:
        return _after_plea(state, policy, retry_after, now)
    if status is None or status >= 500:
        backoff = min(max(policy.first_error, state.backoff * 2), max(policy.max_error, state.backoff))
        return replace(state, failures=state.failures + 1, backoff=backoff)
    return replace(state, failures=0, backoff=_recovered(state.backoff, policy))


def after_unanswered(state: HostState, now: datetime) -> HostState:
    """The state after a request that met a connection which the host was closing: the next one keeps its distance, as
    the host may have seen this one. Nothing else is learned of the host."""
    return replace(state, last_request_at=now)


def with_crawl_delay(state: HostState, asked: float | None) -> HostState:
    """The state after robots.txt was read; several authorities of one domain: the slowest of them counts."""
    if asked is None:
        return state
    return replace(state, crawl_delay=max(state.crawl_delay, min(max(asked, 0.0), MAX_CRAWL_DELAY)))


def resumed(state: HostState, now: datetime) -> HostState:
    """A stored state, read back at `now`; moments that only a clock set back can explain are pulled to the possible."""
    latest_rest = now + timedelta(seconds=MAX_RETRY_AFTER)
    last, rest = state.last_request_at, state.not_before
    return replace(
        state,
        last_request_at=None if last is None else min(last, now),
        not_before=None if rest is None or rest <= now else min(rest, latest_rest),
    )


def shared(own: HostState, stored: HostState, now: datetime) -> HostState:
    """The state after another process asked the host and stored what it learned: its numbers are the newer ones, of
    moments and of the Crawl-delay (which each process knows of other authorities of the domain) the greater counts."""
    stored = resumed(stored, now)
    return replace(
        stored,
        crawl_delay=max(own.crawl_delay, stored.crawl_delay),
        last_request_at=_later(own.last_request_at, stored.last_request_at),
        not_before=_later(own.not_before, stored.not_before),
    )


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, section 10.2.3: seconds or a date), clamped to
    0 ... `MAX_RETRY_AFTER`; None for a missing or meaningless one."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(min(int(text[:12]), int(MAX_RETRY_AFTER)))
    try:
        when = parsedate_to_datetime(text)
        seconds = (when.replace(tzinfo=when.tzinfo or UTC) - now).total_seconds()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)


def _later(first: datetime | None, second: datetime | None) -> datetime | None:
    return max(filter(None, (first, second)), default=None)


def _after_plea(state: HostState, policy: HostPolicy, retry_after: str | None, now: datetime) -> HostState:
    backoff = min(max(policy.first_rest, state.backoff * 2), policy.max_rest)
    rest = max(read_retry_after(retry_after, now) or 0.0, backoff)
    until = now + timedelta(seconds=rest)
    return replace(
        state,
        failures=state.failures + 1,
        backoff=backoff,
        not_before=until if state.not_before is None else max(state.not_before, until),
    )


def _recovered(backoff: float, policy: HostPolicy) -> float:
    """Half of the back-off, and none once it is below what would begin it."""
    halved = backoff / 2
    return halved if halved >= min(policy.first_error, policy.first_rest) else 0.0


def _smoothed(mean: float, latest: float) -> float:
    latest = min(max(latest, 0.0), MAX_LATENCY)
    return latest if mean == 0.0 else mean + LATENCY_WEIGHT * (latest - mean)
