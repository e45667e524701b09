"""The limit of never-fetched addresses a day: what a crawl may still request, what waits, and the alarm."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from source_items import record_answer, record_page_failure

from newscrawl import reports
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage.frontier import pages, sites
from newscrawl.storage.frontier.crawls import count_requests, note_reached
from newscrawl.storage.frontier.crawls import new_pages_left as begin
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.records import SourceAnswer

SITE = "https://harbour.example"
FEED = f"{SITE}/feed"
DAY = timedelta(days=1)


@pytest.fixture
def requested(call: Callable[..., Any]) -> Callable[..., None]:
    """Notes that a number of never-fetched addresses were requested at a time."""
    return lambda number, at, name="harbour": call(count_requests, {}, {name: number}, at)


def announce(call: Callable[..., Any], now: Any, *urls: str) -> None:
    named = [Candidate(url, Discovery("feed", FEED)) for url in urls]
    call(record_answer, SourceAnswer("harbour", FEED, "feed", 200, now), named, now)


def test_the_limit_grows_with_the_new_articles_of_usual_days(call, store, page, now):
    """A new article is one that the first visit of an announced page brought."""
    for day in range(1, 8):
        at = now - day * DAY
        announce(call, at, *(f"{SITE}/{day}/{number}" for number in range(3)))
        for number, text in enumerate((f"The ferry of {day}", f"The bridge of {day}", f"The bridge of {day}")):
            store.save(page(f"{SITE}/{day}/{number}", text, fetched_at=at)).result()
        store.save(page(f"{SITE}/{day}/0", f"The ferry of {day}, changed", fetched_at=at)).result()
    assert call(begin, "harbour", 5, now).bound == 20, "ten times the two of a usual day"


def test_a_day_of_the_future_holds_up_nothing(call, requested, now):
    announce(call, now, f"{SITE}/one")
    requested(5000, now + 400 * DAY)
    call(note_reached, "harbour", 1000, now + 400 * DAY)
    assert call(begin, "harbour", 1000, now).left == 1000
    assert call(alarms.open_alarms) == []
    assert call(reports.url_report, f"{SITE}/one", now).page.waits is None


def test_a_budget_counted_under_a_day_of_the_future_is_not_spent_for_ever(call, now):
    call(sites.count_requests, "harbour", 500, now + 400 * DAY)
    [before] = call(sites.history, ["harbour"], now)
    assert (before.requests_today, call(sites.count_requests, "harbour", 2, now)) == (0, 2)


def test_the_alarm_is_opened_once_a_day_and_ends_after_a_day_without(call, requested, now):
    requested(10, now)
    announce(call, now, f"{SITE}/one", f"{SITE}/two")
    opened = call(note_reached, "harbour", 10, now)
    assert (opened.kind, opened.severity) == ("new_pages", "warning")
    assert "limit of 10 addresses never fetched before is reached for 2026-11-21 (UTC)" in opened.message
    assert "2 pages wait" in opened.message
    assert 'daily_requests = "unlimited"' in opened.message
    assert call(note_reached, "harbour", 10, now) is None
    call(alarms.end, opened.id, now)  # as `status --accept` does
    assert call(note_reached, "harbour", 10, now) is None
    assert call(note_reached, "harbour", 10, now + DAY) is not None
    assert call(begin, "harbour", 10, now + 2 * DAY).left == 10
    assert len(call(alarms.open_alarms)) == 1
    call(begin, "harbour", 10, now + 3 * DAY)
    assert call(alarms.open_alarms) == []


def test_a_bound_that_is_lifted_ends_the_alarm_at_once(call, requested, now):
    announce(call, now, f"{SITE}/one")
    requested(10, now)
    call(note_reached, "harbour", 10, now)
    assert [row.bound_reached for row in call(sites.due, now)] == [10]
    assert call(begin, "harbour", None, now) is None
    assert (call(alarms.open_alarms), [row.bound_reached for row in call(sites.due, now)]) == ([], [None])


def test_pages_that_wait_do_not_keep_visits_from_being_due(call, now):
    announce(call, now, *(f"{SITE}/{number}" for number in range(6)))
    call(record_page_failure, f"{SITE}/0", "harbour", Failure("http/500", "broken"), 500, now)
    later = now + 2 * DAY
    due = call(pages.due, "harbour", later, 3, most_found=0)
    assert [(one.url, one.is_first) for one in due] == [(f"{SITE}/0", False)]
    assert [one.is_first for one in call(pages.due, "harbour", later, 3, most_found=2)] == [True, True, False]
