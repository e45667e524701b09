"""Decides when the next request to a host may start: pure transitions over a frozen state, `now` is a parameter.

One component owns the delay of a host. The delay is the largest of four numbers:

    site setting    what the operator (or the site's declaration) asks for
    Crawl-delay     what the host's robots.txt asks for, up to `MAX_CRAWL_DELAY`
    back-off        doubles with each 429, 503 or failed request, halves with each good answer
    latency         a smoothed mean of how long the host takes to answer: a host that slows down gets fewer requests

The delay counts from the end of one request to the start of the next (as Heritrix and Nutch count it). So the host
never sees two requests closer than the delay, whatever the network does to them. Jitter only lengthens it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

MAX_CRAWL_DELAY: Final = 300.0
"""Seconds. Other crawlers cap it at 300 (crawler-commons) or 30 (Nutch, StormCrawler); the longer one is more
polite."""

MAX_LATENCY: Final = 30.0
"""Seconds. No request lasts longer (DOWNLOAD_TIMEOUT), so no mean of their durations is larger."""

MAX_RETRY_AFTER: Final = 86_400.0
"""Seconds. A Retry-After of more than a day counts as a day."""

MAX_JITTER: Final = 1.3
"""A delay is lengthened by up to this factor, so that many crawlers started together drift apart."""
LONGEST_JITTER: Final = 60.0
"""Seconds. No delay is lengthened by more, so that a host that is well again is noticed soon after its rest."""

TOO_MUCH: Final = frozenset({429, 503})
"""Statuses with which a host asks for a pause (RFC 6585, section 4; RFC 9110, section 15.6.4)."""

LATENCY_WEIGHT: Final = 0.25
"""Weight of the newest answer in the smoothed latency: the latest four answers make two thirds of it."""


FAILURES_A_DAY: Final = 96
"""Failed requests in a row after which a host counts as one that was not well yesterday: with the longest rests of the
first day, 96 requests take 24 hours."""


FIRST_ERROR: Final = 1.0
"""Seconds of back-off after a first error. It is short because many connections are lost by chance."""


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """The settings for all hosts; seconds throughout."""

    delay: float = 1.0
    first_rest: float = 5.0
    """Back-off after the first 429 or 503 that names no time."""
    first_error: float = FIRST_ERROR
    """Back-off after the first 5xx or network error."""
    first_day_rest: float = 900.0
    """Limit of the back-off of a 429 or 503 until `FAILURES_A_DAY` requests in a row have failed."""
    max_rest: float = 3600.0
    """Limit of the back-off of a 429 or 503 after that."""
    max_error: float = 60.0
    """Errors often concern one page, not the host, so their back-off is capped lower than that of a 429 or 503."""
    longest_wait: float = 3600.0
    """A host that must be waited for longer than this, and longer than `MAX_CRAWL_DELAY`, gets no more requests in this
    crawl."""


@dataclass(frozen=True, slots=True)
class HostState:
    """The state of a host: durations in seconds, times aware and in UTC."""

    crawl_delay: float = 0.0
    backoff: float = 0.0
    latency: float = 0.0
    failures: int = 0
    """Number of requests in a row that ended with a 429, a 5xx or a network error."""
    last_request_at: datetime | None = None
    """The end of the latest request. While it is being answered, and if the process was killed meanwhile, its begin."""
    not_before: datetime | None = None
    """End of the pause after a 429 or 503: the host's Retry-After or the back-off, whichever is longer."""


def delay_of(state: HostState, policy: HostPolicy) -> float:
    """Returns the delay that holds now, in seconds, without jitter."""
    return max(policy.delay, state.crawl_delay, state.backoff, state.latency)


def next_request_at(state: HostState, policy: HostPolicy, now: datetime, jitter: float = 1.0) -> datetime:
    """Returns the earliest time of the next request, at least `now`. A `jitter` below 1 counts as 1, one above
    `MAX_JITTER` as that."""
    moments = [now]
    if state.last_request_at is not None:
        delay = delay_of(state, policy)
        longer = min(delay * (min(max(jitter, 1.0), MAX_JITTER) - 1.0), LONGEST_JITTER)
        moments.append(state.last_request_at + timedelta(seconds=delay + longer))
    if state.not_before is not None:
        moments.append(state.not_before)
    return max(moments)


def is_resting(state: HostState, policy: HostPolicy, now: datetime) -> bool:
    """Returns whether the host gets no more requests in this crawl."""
    wait = next_request_at(state, policy, now) - now
    return wait > timedelta(seconds=max(policy.longest_wait, MAX_CRAWL_DELAY))


def after_response(
    state: HostState, policy: HostPolicy, *, status: int | None, retry_after: str | None, latency: float, now: datetime
) -> HostState:
    """Returns the state after a request ended. `status` is None for a network error; `latency` is in seconds."""
    state = replace(state, last_request_at=now, latency=_smoothed(state.latency, latency))
    if status in TOO_MUCH:
        return _after_too_much(state, policy, retry_after, now)
    if status is None or status >= 500:
        backoff = min(max(policy.first_error, state.backoff * 2), max(policy.max_error, state.backoff))
        return replace(state, failures=state.failures + 1, backoff=backoff)
    return replace(state, failures=0, backoff=_recovered(state.backoff, policy))


def after_unanswered(state: HostState, now: datetime) -> HostState:
    """Returns the state after a request was sent on a kept connection that the host was closing. The host may have seen
    the request, so the delay counts from it. Nothing else is learned of the host."""
    return replace(state, last_request_at=now)


def with_crawl_delay(state: HostState, asked: float | None) -> HostState:
    """Returns the state after a robots.txt asked for this Crawl-delay (None for no wish). The largest one of all
    authorities of a domain counts."""
    if asked is None:
        return state
    return replace(state, crawl_delay=max(state.crawl_delay, min(max(asked, 0.0), MAX_CRAWL_DELAY)))


def claimed(own: HostState, stored: HostState, wait: float, *, is_shared: bool, now: datetime) -> HostState:
    """Returns the state after this process has claimed the host. Back-off, latency and failures are the stored ones.
    `wait` is the time until the stored state allows the next request, in seconds. At most a day of it counts, because a
    longer one can only come from a clock that was set back. While other processes use the host (`is_shared`) the larger
    Crawl-delay counts, as each process knows the robots.txt of other authorities of the domain."""
    rest = now + timedelta(seconds=min(wait, MAX_RETRY_AFTER)) if wait > 0 else None
    return replace(
        stored,
        crawl_delay=max(own.crawl_delay, stored.crawl_delay) if is_shared else own.crawl_delay,
        last_request_at=own.last_request_at,
        not_before=later(own.not_before, rest),
    )


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Returns the seconds that a Retry-After header asks for (RFC 9110, section 10.2.3: seconds or a date), clamped to
    0 ... `MAX_RETRY_AFTER`; None for a missing or unreadable one."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(min(int(text[:12]), int(MAX_RETRY_AFTER)))
    try:
        when = parsedate_to_datetime(text)
        seconds = (when.replace(tzinfo=when.tzinfo or UTC) - now).total_seconds()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)


def later(first: datetime | None, second: datetime | None) -> datetime | None:
    """Returns the later of two times; None stands for no time."""
    return max(filter(None, (first, second)), default=None)


def _after_too_much(state: HostState, policy: HostPolicy, retry_after: str | None, now: datetime) -> HostState:
    limit = policy.max_rest if state.failures >= FAILURES_A_DAY else max(policy.first_day_rest, policy.first_rest)
    backoff = min(max(policy.first_rest, state.backoff * 2), max(limit, state.backoff), policy.max_rest)
    rest = max(read_retry_after(retry_after, now) or 0.0, backoff)
    until = now + timedelta(seconds=rest)
    return replace(
        state,
        failures=state.failures + 1,
        backoff=backoff,
        not_before=until if state.not_before is None else max(state.not_before, until),
    )


def _recovered(backoff: float, policy: HostPolicy) -> float:
    """Returns half of the back-off, or 0 if that is less than a first back-off."""
    halved = backoff / 2
    return halved if halved >= min(policy.first_error, policy.first_rest) else 0.0


def _smoothed(mean: float, latest: float) -> float:
    latest = min(max(latest, 0.0), MAX_LATENCY)
    return latest if mean == 0.0 else mean + LATENCY_WEIGHT * (latest - mean)
