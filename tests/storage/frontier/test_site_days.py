"""The stored days of a site, and the alarm about a day whose limit is reached."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage import SourceAnswer, Store
from newscrawl.storage.frontier import pages, site_days, sites, sources
from newscrawl.storage.frontier.crawls import new_pages_left as begin
from newscrawl.storage.frontier.crawls import note_reached
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.removal import forget

FEED = "https://harbour.example/feed"


@pytest.fixture
def call(store: Store) -> Callable[..., Any]:
    return lambda operation, *args, **kwargs: store.run(operation, *args, **kwargs).result()


def announce(call: Callable[..., Any], now: Any, *urls: str) -> None:
    named = [Candidate(url, Discovery("feed", FEED)) for url in urls]
    call(sources.record_answer, SourceAnswer("harbour", FEED, "feed", 200, now), named, now)


def test_counts_are_kept_by_day(call, now):
    tomorrow = now + timedelta(days=1)
    call(site_days.count_requests, {"harbour": 3, "other": 1}, now)
    call(site_days.count_requests, {"harbour": 4}, now)
    call(site_days.count_articles, {"harbour": 2}, now)
    call(site_days.count_requests, {"harbour": 1}, tomorrow)
    kept = [(one.day, one.new_pages_requested, one.new_articles) for one in call(site_days.load_site, "harbour")]
    assert kept == [(now.date(), 7, 2), (tomorrow.date(), 1, 0)]


def test_a_first_visit_that_brings_a_new_article_counts_for_the_day(call, store, page, now):
    announce(call, now, "https://harbour.example/one", "https://harbour.example/two")
    store.save(page("https://harbour.example/one", "The ferry")).result()
    store.save(page("https://harbour.example/two", "The ferry")).result()
    store.save(page("https://harbour.example/one", "The ferry, changed")).result()
    [today] = call(site_days.load_site, "harbour")
    assert today.new_articles == 1


def test_a_day_of_the_future_holds_up_nothing_and_goes(call, now):
    later = now + timedelta(days=400)
    call(site_days.count_requests, {"harbour": 5000}, later)
    call(note_reached, "harbour", 1000, later)
    assert call(begin, "harbour", 1000, now).left == 1000
    assert call(site_days.load_site, "harbour") == []
    assert call(site_days.full, now) == {}


def test_a_budget_counted_under_a_day_of_the_future_is_not_spent_for_ever(call, now):
    call(sites.count_requests, "harbour", 500, now + timedelta(days=400))
    [before] = call(sites.history, ["harbour"], now)
    assert (before.requests_today, call(sites.count_requests, "harbour", 2, now)) == (0, 2)


def test_old_days_go(call, now):
    call(site_days.count_requests, {"harbour": 5}, now - timedelta(days=36))
    call(begin, "harbour", 1000, now)
    assert call(site_days.load_site, "harbour") == []


def test_the_alarm_is_opened_once_a_day_and_ends_after_a_day_without(call, now):
    call(site_days.count_requests, {"harbour": 10}, now)
    announce(call, now, "https://harbour.example/one", "https://harbour.example/two")
    opened = call(note_reached, "harbour", 10, now)
    assert (opened.kind, opened.severity) == ("new_pages", "warning")
    assert "limit of 10 addresses never fetched before is reached for 2026-11-21 (UTC)" in opened.message
    assert "2 pages wait" in opened.message
    assert 'daily_requests = "unlimited"' in opened.message
    assert call(note_reached, "harbour", 10, now) is None
    call(alarms.end, opened.id, now)  # as `status --accept` does
    assert call(note_reached, "harbour", 10, now) is None
    tomorrow, later = now + timedelta(days=1), now + timedelta(days=2)
    assert call(note_reached, "harbour", 10, tomorrow) is not None
    assert call(begin, "harbour", 10, later).left == 10
    assert len(call(alarms.open_alarms)) == 1
    call(begin, "harbour", 10, later + timedelta(days=1))
    assert call(alarms.open_alarms) == []


def test_a_bound_that_is_lifted_ends_the_alarm_at_once(call, now):
    call(site_days.count_requests, {"harbour": 10}, now)
    call(note_reached, "harbour", 10, now)
    assert call(begin, "harbour", None, now) is None
    assert (call(alarms.open_alarms), call(site_days.full, now)) == ([], {})


def test_the_fleet_sees_which_sites_may_ask_for_no_more(call, now):
    announce(call, now, "https://harbour.example/one")
    call(site_days.count_requests, {"harbour": 10}, now)
    assert [row.bound_reached for row in call(sites.due, now)] == [None]
    call(note_reached, "harbour", 10, now)
    assert [row.bound_reached for row in call(sites.due, now)] == [10]
    assert [row.bound_reached for row in call(sites.due, now + timedelta(days=1))] == [None]


def test_pages_that_wait_do_not_keep_visits_from_being_due(call, now):
    announce(call, now, *(f"https://harbour.example/{number}" for number in range(6)))
    broken = Failure("http/500", "broken")
    call(pages.record_failure, "https://harbour.example/0", "harbour", broken, 500, now)
    later = now + timedelta(days=2)
    due = call(pages.due, "harbour", later, 3, most_found=0)
    assert [(one.url, one.is_first) for one in due] == [("https://harbour.example/0", False)]
    assert [one.is_first for one in call(pages.due, "harbour", later, 3, most_found=2)] == [True, True, False]


def test_a_site_that_is_forgotten_leaves_no_days(call, now):
    call(site_days.count_requests, {"harbour": 3}, now)
    call(forget.forget_site, "harbour", now)
    assert call(site_days.load_site, "harbour") == []
