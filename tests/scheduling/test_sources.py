"""When a source is read again: its new articles decide, within limits."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from newscrawl.crawling.scheduling.sources import MAX_INTERVAL, SourcePolicy, Yield, freshness, not_before, plan
from newscrawl.model import SourceVisit

MONDAY = datetime(2026, 11, 16, tzinfo=UTC)
URL = "https://harbour.example/feed"
STEADY = SourcePolicy(jitter=0.0)


def watch(appears, days=14, policy=STEADY, start=MONDAY, memory=None):
    """Visits a source whose entries appear at these times as the plan says; returns the visits and the last plan."""
    now, previous, visits = start, None, []
    waiting = sorted(appears)
    while now < start + timedelta(days=days):
        fresh = tuple(time for time in waiting if time <= now)
        waiting = [time for time in waiting if time > now]
        planned = plan(memory, SourceVisit(URL, now, previous, 200, fresh), policy)
        memory = json.loads(json.dumps(planned.arrival_state))
        visits.append(now)
        previous, now = now, planned.next_due
    return visits, planned


def every(hours, days=14, start=MONDAY):
    return [start + timedelta(hours=hours * n) for n in range(1, int(days * 24 / hours))]


def gaps(visits):
    return [later - earlier for earlier, later in pairwise(visits)]


def test_a_source_that_brings_more_is_read_more_often_but_not_in_proportion():
    rare, often = watch(every(8))[0], watch(every(0.5))[0]
    assert 2 < len(often) / len(rare) < 8  # sixteen times the news


def test_a_source_that_brings_nothing_is_read_every_four_hours_and_never_less():
    visits, planned = watch([])
    assert max(gaps(visits)) <= MAX_INTERVAL
    assert gaps(visits)[-1] == MAX_INTERVAL
    assert planned.arrival_rate < 0.05


@pytest.mark.parametrize("jitter", [0.1, 0.9])
def test_jitter_never_exceeds_the_longest_interval(jitter):
    visits, _ = watch(every(60), policy=SourcePolicy(jitter=jitter))
    assert max(gaps(visits)) <= MAX_INTERVAL


def test_no_source_is_read_more_often_than_the_shortest_interval():
    policy = SourcePolicy(shortest=timedelta(minutes=10))
    assert min(gaps(watch(every(0.02, days=2), days=2, policy=policy)[0])) >= timedelta(minutes=10)


def test_the_daily_rhythm_of_a_source_is_learned():
    at_noon = [MONDAY + timedelta(days=day, hours=12, minutes=5 * n) for day in range(21) for n in range(24)]
    visits, _ = watch(at_noon, days=21)
    last_week = [visit for visit in visits if visit > MONDAY + timedelta(days=14)]
    noon = [visit for visit in last_week if 12 <= visit.hour < 14]
    night = [visit for visit in last_week if visit.hour < 2]
    assert len(noon) > 3 * len(night)


def test_a_source_without_a_rhythm_is_not_given_one():
    _, planned = watch(every(1, days=21), days=21)
    seen = Yield.read(planned.arrival_state)
    factors = [seen.pattern(hour) for hour in range(24)]
    assert max(factors) / min(factors) < 1.6


def test_after_a_burst_of_news_the_next_visit_comes_sooner_for_a_while():
    calm, _ = watch(every(2, days=7), days=7)
    memory = watch(every(2, days=7), days=7)[1].arrival_state
    now, previous = calm[-1] + timedelta(hours=1), calm[-1]
    quiet = plan(memory, SourceVisit(URL, now, previous, 200, ()), STEADY).next_due - now
    news = plan(memory, SourceVisit(URL, now, previous, 200, (now,) * 6), STEADY)
    assert news.next_due - now < quiet / 1.5
    later = now + timedelta(hours=6)
    calmed = plan(news.arrival_state, SourceVisit(URL, later, now, 200, ()), STEADY)
    assert calmed.next_due - later > (news.next_due - now) * 1.3
    assert news.arrival_rate > calmed.arrival_rate


def test_a_first_answer_tells_by_its_dates_how_often_the_source_has_something():
    dated = tuple(MONDAY - timedelta(minutes=10 * n) for n in range(1, 100))
    busy = plan(None, SourceVisit(URL, MONDAY, None, 200, dated), STEADY)
    old = tuple(MONDAY - timedelta(days=30 + n) for n in range(100))
    sleepy = plan(None, SourceVisit(URL, MONDAY, None, 200, old), STEADY)
    unknown = plan(None, SourceVisit(URL, MONDAY, None, 200, (None,) * 100), STEADY)
    assert busy.next_due < unknown.next_due < sleepy.next_due


def test_a_source_that_asks_to_be_left_alone_is_but_at_most_for_the_longest_interval():
    hour, year = MONDAY + timedelta(hours=1), MONDAY + timedelta(days=365)
    fresh = (MONDAY,) * 50
    asks = plan(None, SourceVisit(URL, MONDAY, MONDAY - timedelta(hours=1), 200, fresh, hour), STEADY)
    lies = plan(None, SourceVisit(URL, MONDAY, MONDAY - timedelta(hours=1), 200, fresh, year), STEADY)
    assert asks.next_due == hour
    assert lies.next_due == MONDAY + MAX_INTERVAL


def failing(failures, since, at, **changes):
    return SourceVisit(URL, at, since, failure="http/503", failures=failures, failing_since=since, **changes)


def test_a_failing_source_is_tried_after_growing_pauses_and_keeps_what_was_learned():
    memory = watch(every(1))[1].arrival_state
    plans = [plan(memory, failing(n, MONDAY, MONDAY)) for n in range(1, 9)]
    pauses = [planned.next_due - MONDAY for planned in plans]
    assert pauses == sorted(pauses)
    assert pauses[0] <= timedelta(minutes=30)
    assert max(pauses) == MAX_INTERVAL
    assert all(planned.arrival_state == memory for planned in plans)
    assert not any(planned.retired for planned in plans)


def test_a_source_that_fails_for_days_is_retired_and_later_tried_again():
    after_a_week = plan(None, failing(40, MONDAY, MONDAY + timedelta(days=7)))
    after_a_year = plan(None, failing(80, MONDAY, MONDAY + timedelta(days=365)))
    assert after_a_week.retired
    assert after_a_year.retired
    assert after_a_week.next_due == MONDAY + timedelta(days=8)
    assert after_a_year.next_due == MONDAY + timedelta(days=372)
    back = MONDAY + timedelta(days=8)
    answered = plan(None, SourceVisit(URL, back, MONDAY, 200, (), retired_at=MONDAY))
    assert not answered.retired
    assert answered.next_due <= back + MAX_INTERVAL


def test_a_source_that_is_gone_is_retired_sooner():
    later = MONDAY + timedelta(days=2)
    assert plan(None, failing(9, MONDAY, later, status=404)).retired
    assert not plan(None, failing(9, MONDAY, later, status=500)).retired


def test_retry_after_is_honoured_beyond_the_longest_interval():
    until = MONDAY + timedelta(hours=20)
    assert plan(None, failing(1, MONDAY, MONDAY, not_before=until)).next_due == until


def test_the_same_visit_has_the_same_plan_and_other_seeds_other_ones():
    visit = SourceVisit(URL, MONDAY, MONDAY - timedelta(hours=1), 200, (MONDAY,))
    assert plan(None, visit) == plan(None, visit)
    due = {plan(None, visit, SourcePolicy(seed=str(n))).next_due for n in range(20)}
    assert len(due) == 20


@pytest.mark.parametrize("memory", [{}, {"entries": "x"}, {"entries": 1}, {"hour_seen": None}, {"future": [1]}])
def test_a_memory_that_cannot_be_read_counts_as_nothing_learned(memory):
    visit = SourceVisit(URL, MONDAY, MONDAY - timedelta(hours=1), 200, ())
    assert plan(memory, visit) == plan(None, visit)


def test_a_clock_that_jumps_back_or_far_ahead_starves_nobody():
    memory = watch(every(1))[1].arrival_state
    for at, previous in ((MONDAY - timedelta(days=2), MONDAY), (MONDAY + timedelta(days=400), MONDAY)):
        planned = plan(memory, SourceVisit(URL, at, previous, 200, (at, None)), STEADY)
        assert at < planned.next_due <= at + MAX_INTERVAL


NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"cache-control": "public, max-age=600"}, 600),
        ({"cache-control": "max-age=600", "age": "200"}, 400),
        ({"cache-control": "max-age=600", "age": "900"}, 0),
        ({"cache-control": "max-age=60, s-maxage=300"}, 300),
        ({"cache-control": "no-cache, max-age=600"}, 0),
        ({"cache-control": "max-age=soon"}, None),
        ({"cache-control": "max-age=600", "age": "²"}, 600),
        ({"expires": "Fri, 20 Nov 2026 12:10:00 GMT"}, 600),
        ({"expires": "Fri, 20 Nov 2026 12:10:00 GMT", "date": "Fri, 20 Nov 2026 12:05:00 GMT"}, 300),
        ({"expires": "Fri, 20 Nov 2020 12:10:00 GMT"}, 0),
        ({"expires": "-1"}, None),
        ({}, None),
    ],
)
def test_caching_headers_are_read_as_the_rfc_says(headers, seconds):
    assert freshness(headers, NOW) == (None if seconds is None else timedelta(seconds=seconds))


def test_the_longest_of_what_a_source_asks_for_counts_up_to_four_hours():
    headers = {"cache-control": "max-age=600"}
    assert not_before(headers, NOW) == NOW + timedelta(minutes=10)
    assert not_before(headers, NOW, update_interval=timedelta(hours=1)) == NOW + timedelta(hours=1)
    assert not_before({"cache-control": "max-age=31536000"}, NOW) == NOW + MAX_INTERVAL
    assert not_before({"cache-control": "no-store"}, NOW) is None


def test_hours_and_days_to_skip_are_skipped_as_far_as_four_hours_reach():
    assert not_before({}, NOW, skip_hours={12, 13}) == NOW + timedelta(hours=2)
    assert not_before({}, NOW, skip_days={NOW.weekday()}) == NOW + MAX_INTERVAL
    assert not_before({}, NOW, skip_hours=range(24)) == NOW + MAX_INTERVAL
    assert not_before({}, NOW, skip_hours={3}) == NOW
