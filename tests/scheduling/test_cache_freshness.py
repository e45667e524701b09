"""What the headers of a source say about its next reading."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.crawling.scheduling.sources import MAX_INTERVAL, freshness, not_before

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
