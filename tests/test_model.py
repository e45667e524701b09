"""Values that are passed between processes are unchanged."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta, timezone

import pytest

from newscrawl.model import ProcessedPage, PublishedDate, RawPage

ZONES = [UTC, timezone(timedelta(hours=2)), timezone(timedelta(hours=-3), "BRT")]


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_zones_arrive_with_their_names_and_utc_as_itself(zone: timezone) -> None:
    when = pickle.loads(pickle.dumps(PublishedDate(datetime(2026, 11, 22, tzinfo=zone), "json-ld", "day"))).when
    assert (when.utcoffset(), when.tzname()) == (zone.utcoffset(None), zone.tzname(None))
    assert (when.tzinfo is UTC) == (zone is UTC)


def test_a_page_arrives_whole() -> None:
    url = "https://harbour.example/1"
    raw = RawPage(url, url, 200, {"etag": "x"}, b"...", datetime(2026, 11, 22, tzinfo=UTC), "harbour")
    assert pickle.loads(pickle.dumps(raw, pickle.HIGHEST_PROTOCOL)) == raw


def test_logs_name_a_page_by_its_address() -> None:
    url = "https://harbour.example/1"
    raw = RawPage(url, url, 200, {}, b"...", datetime(2026, 11, 22, tzinfo=UTC), "harbour")
    assert str(raw) == str(ProcessedPage(raw)) == "https://harbour.example/1 (harbour)"
