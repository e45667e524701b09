"""Only the Date headers of twenty hosts can make the clock suspect."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from newscrawl.scheduling.clock_skew import HOSTS, ServerDates, clock_ahead

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def header(moment):
    return format_datetime(moment, usegmt=True)


def heard(*minutes, hosts=HOSTS):
    """Dates of hosts whose clocks differ from this one by so many minutes; the last is that of all others."""
    dates = ServerDates()
    for number in range(hosts):
        apart = minutes[min(number, len(minutes) - 1)]
        dates.add(f"host{number}", header(NOW + apart * MINUTE), None, NOW)
    return dates


@pytest.mark.parametrize(
    ("minutes", "suspected"),
    [
        ((0,), False),
        ((5,), False),
        ((6,), True),
        ((-6,), True),
        ((-43_200,), True),
        ((0, 60), False),
        ((-60, 60), False),
    ],
    ids=["right", "at the limit", "behind", "ahead", "a month ahead", "one host agrees", "hosts disagree"],
)
def test_all_hosts_must_differ_in_the_same_direction(minutes, suspected):
    skew = heard(*minutes).skew()
    assert skew is not None
    assert skew.suspected is suspected
    if suspected:
        assert skew.ahead == -minutes[-1] * MINUTE


def test_fewer_hosts_say_nothing_and_a_host_counts_once():
    dates = heard(60, hosts=HOSTS - 1)
    assert dates.skew() is None
    dates.add("host0", header(NOW + 60 * MINUTE), None, NOW)
    assert dates.skew() is None


def test_the_latest_answer_of_each_of_the_latest_hosts_counts():
    dates = heard(60)
    dates.add("host3", header(NOW), None, NOW)
    assert dates.skew().suspected is False
    for number in range(HOSTS):
        dates.add(f"other{number}", header(NOW + 60 * MINUTE), None, NOW)
    assert dates.skew().suspected is True
    for number in range(HOSTS):
        dates.add(f"other{number}", header(NOW), None, NOW)
    assert dates.skew().suspected is False


@pytest.mark.parametrize(
    ("date", "age", "ahead"),
    [
        (header(NOW - 60 * MINUTE), "3600", timedelta(0)),
        (header(NOW), "3600", timedelta(0)),
        (header(NOW - 90 * MINUTE), "3600", 30 * MINUTE),
        (header(NOW + 10 * MINUTE), "3600", -10 * MINUTE),
        (header(NOW - 60 * MINUTE), "1e9", None),
        (header(NOW - 60 * MINUTE), "-1", None),
        (header(NOW - 60 * MINUTE), "99999999999", None),
        ("Sat, 21 Nov 2026 12:00:00 -0000", None, timedelta(0)),
        ("yesterday", None, None),
        ("", None, None),
        (None, None, None),
        ("Sat, 21 Nov 99999999 12:00:00 GMT", None, None),
    ],
    ids=(
        "made long ago,sent now,too old for its age,of the future,no number,negative,too large,no zone,no date,empty,"
        "none,no year"
    ).split(","),
)
def test_an_answer_of_a_cache_agrees_within_its_age_and_nonsense_says_nothing(date, age, ahead):
    assert clock_ahead(date, age, NOW) == ahead
