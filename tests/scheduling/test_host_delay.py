"""The time of the next request to a host: the largest of four delays, lengthened by jitter and never shortened."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.crawling.scheduling.host import (
    MAX_CRAWL_DELAY,
    MAX_RETRY_AFTER,
    HostPolicy,
    HostState,
    after_response,
    claimed,
    delay_of,
    is_resting,
    next_request_at,
    read_retry_after,
    with_crawl_delay,
)

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
POLICY = HostPolicy(delay=1.0, first_rest=5.0)


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def answered(state: HostState, status: int | None, *, retry_after: str | None = None, now: datetime = NOW) -> HostState:
    return after_response(state, POLICY, status=status, retry_after=retry_after, latency=0.1, now=now)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (HostState(), 1.0),
        (HostState(crawl_delay=10.0), 10.0),
        (HostState(crawl_delay=0.2), 1.0),
        (HostState(backoff=20.0, crawl_delay=10.0), 20.0),
        (HostState(latency=3.0), 3.0),
    ],
)
def test_the_largest_of_the_four_is_the_delay(state: HostState, expected: float) -> None:
    assert delay_of(state, POLICY) == expected


def test_the_delay_counts_from_the_end_of_the_request_before() -> None:
    state = answered(HostState(), 200)
    assert next_request_at(state, POLICY, NOW) == NOW + seconds(1)
    assert next_request_at(state, POLICY, NOW + seconds(5)) == NOW + seconds(5)


@given(jitter=st.floats(min_value=-10, max_value=10))
def test_jitter_only_lengthens_and_by_no_more_than_three_tenths(jitter: float) -> None:
    waited = next_request_at(answered(HostState(), 200), POLICY, NOW, jitter) - NOW
    assert seconds(1) <= waited <= seconds(1.3)


def test_jitter_lengthens_a_long_rest_by_no_more_than_a_minute() -> None:
    state = HostState()
    for _ in range(12):
        state = answered(state, 503)
    assert next_request_at(state, POLICY, NOW, 1.3) - NOW == seconds(15 * 60 + 60)


def test_a_plea_for_rest_is_granted_for_as_long_as_it_asks() -> None:
    state = answered(HostState(), 429, retry_after="120")
    assert next_request_at(state, POLICY, NOW) == NOW + seconds(120)


def test_a_short_retry_after_does_not_shorten_the_back_off() -> None:
    assert next_request_at(answered(HostState(), 503, retry_after="0"), POLICY, NOW) == NOW + seconds(5)


def test_a_later_shorter_plea_does_not_shorten_an_earlier_longer_one() -> None:
    state = answered(answered(HostState(), 429, retry_after="600"), 429, retry_after="1")
    assert next_request_at(state, POLICY, NOW) == NOW + seconds(600)


def test_the_back_off_doubles_with_each_plea_up_to_a_limit_and_halves_with_each_good_answer() -> None:
    state = HostState()
    backoffs = []
    for _ in range(110):
        state = answered(state, 429)
        backoffs.append(state.backoff)
    assert backoffs[:4] == [5.0, 10.0, 20.0, 40.0]
    assert backoffs[11] == 15 * 60.0  # it was well yesterday
    assert sum(second for second in backoffs if second <= 15 * 60.0) == pytest.approx(86_400.0, rel=0.1)
    assert backoffs[-1] == POLICY.max_rest
    state = answered(state, 200)
    assert state.backoff == POLICY.max_rest / 2
    for _ in range(20):
        state = answered(state, 200)
    assert state.backoff == 0.0
    assert state.failures == 0


def test_errors_back_off_too_but_not_for_as_long() -> None:
    state = HostState()
    for status in (500, None, 502, None, 504, None, 500, None, None):
        state = answered(state, status)
    assert state.backoff == POLICY.max_error
    assert state.failures == 9
    assert not is_resting(state, POLICY, NOW)


def test_an_error_after_a_plea_does_not_lower_the_back_off() -> None:
    state = HostState()
    for _ in range(9):
        state = answered(state, 429)
    assert answered(state, 500).backoff >= state.backoff


@pytest.mark.parametrize("status", [200, 301, 304, 404, 410])
def test_an_answer_about_the_page_says_nothing_bad_of_the_host(status: int) -> None:
    assert answered(HostState(), status).backoff == 0.0


def test_a_host_that_wants_more_than_an_hour_rests_for_this_round() -> None:
    assert is_resting(answered(HostState(), 429, retry_after="3700"), POLICY, NOW)
    assert not is_resting(answered(HostState(), 429, retry_after="3600"), POLICY, NOW)
    assert not is_resting(answered(HostState(), 429, retry_after="3700"), POLICY, NOW + seconds(200))


@pytest.mark.parametrize(("asked", "kept"), [(None, 0.0), (2.5, 2.5), (1e9, MAX_CRAWL_DELAY), (-5.0, 0.0), (0.0, 0.0)])
def test_a_crawl_delay_is_honoured_up_to_its_cap(asked: float | None, kept: float) -> None:
    assert with_crawl_delay(HostState(), asked).crawl_delay == kept


def test_the_slowest_of_several_authorities_counts() -> None:
    assert with_crawl_delay(with_crawl_delay(HostState(), 10.0), 2.0).crawl_delay == 10.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("120", 120.0),
        (" 7 ", 7.0),
        ("Sun, 01 Nov 2026 12:01:40 GMT", 100.0),
        ("Sunday, 01-Nov-26 12:01:40 GMT", 100.0),
        ("Sun, 01 Nov 2020 12:00:00 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", MAX_RETRY_AFTER),
        ("9" * 400, MAX_RETRY_AFTER),
        ("99999999999", MAX_RETRY_AFTER),
        ("-5", None),
        ("1.5", None),
        ("9e9", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("١٢", None),
        ("Sun, 99 Nov 2026 99:99:99 GMT", None),
    ],
)
def test_a_retry_after_is_seconds_or_a_date_or_nothing(value: str | None, expected: float | None) -> None:
    assert read_retry_after(value, NOW) == expected


@given(value=st.text(max_size=60))
def test_no_retry_after_can_raise_or_ask_for_more_than_a_day(value: str) -> None:
    read = read_retry_after(value, NOW)
    assert read is None or 0 <= read <= MAX_RETRY_AFTER


def test_the_latency_is_smoothed_and_bounded() -> None:
    state = after_response(HostState(), POLICY, status=200, retry_after=None, latency=2.0, now=NOW)
    assert state.latency == 2.0
    state = after_response(state, POLICY, status=200, retry_after=None, latency=6.0, now=NOW)
    assert state.latency == 3.0
    for _ in range(99):
        state = after_response(state, POLICY, status=200, retry_after=None, latency=1e9, now=NOW)
    assert state.latency <= 30.0


def test_a_claim_takes_what_is_stored_and_the_later_moments() -> None:
    own = HostState(5.0, backoff=8.0, failures=3, last_request_at=NOW, not_before=NOW + seconds(7200))
    stored = HostState(crawl_delay=9.0, latency=0.5)
    found = claimed(own, stored, 2.0, is_shared=False, now=NOW)
    assert found == HostState(5.0, 0.0, 0.5, 0, NOW, NOW + seconds(7200))
    shared = claimed(HostState(), stored, 2.0, is_shared=True, now=NOW)
    assert shared == HostState(9.0, 0.0, 0.5, 0, None, NOW + seconds(2))
    assert claimed(HostState(), stored, -3.0, is_shared=True, now=NOW).not_before is None


def test_a_stored_pause_survives_a_clock_that_was_set_back() -> None:
    """What the clock of next month wrote must not keep today's crawl waiting for longer than a day."""
    found = claimed(HostState(), HostState(), 30 * 86_400.0, is_shared=False, now=NOW)
    assert found.not_before == NOW + seconds(MAX_RETRY_AFTER)


statuses = st.one_of(st.none(), st.sampled_from([200, 304, 404, 429, 500, 503]))


@given(history=st.lists(st.tuples(statuses, st.floats(min_value=0, max_value=100)), max_size=30))
def test_nothing_a_host_answers_brings_its_delay_below_the_setting_and_its_crawl_delay(
    history: list[tuple[int | None, float]],
) -> None:
    state, now = with_crawl_delay(HostState(), 4.0), NOW
    for status, latency in history:
        now = next_request_at(state, POLICY, now)
        state = after_response(state, POLICY, status=status, retry_after=None, latency=latency, now=now)
        assert next_request_at(state, POLICY, now) - now >= seconds(4)
