"""The numbers of each site by hour."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from source_items import record_answer, record_failure
from stored_rows import add_failures, add_numbers

from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage.frontier import leases, pages
from newscrawl.storage.monitoring import hours
from newscrawl.storage.monitoring.hours import Numbers
from newscrawl.storage.records import SourceAnswer

SITE = "https://harbour.example"
HOUR = timedelta(hours=1)


def of_harbour(call: Callable[..., Any], now: Any) -> Numbers:
    return call(hours.last_day, now)["harbour"]


def test_a_batch_adds_its_results_to_the_hour(call, store, page, now):
    saved = [
        store.save(page(f"{SITE}/one", "The ferry")),
        store.save(page(f"{SITE}/two", "The ferry")),
        store.save(page(f"{SITE}/three")),
        store.save(page(f"{SITE}/four", "A bridge")),
    ]
    assert [future.result().kind for future in saved] == ["inserted", "joined", "failed", "inserted"]
    store.save(page(f"{SITE}/one", "The ferry, later", fetched_at=now + HOUR)).result()
    store.save(page(f"{SITE}/one", status=304, fetched_at=now + HOUR)).result()
    first = of_harbour(call, now)
    assert (first.fetched, first.stored, first.duplicates, first.failed) == (4, 2, 1, 1)
    assert (first.failures, first.newest_article) == ({"extraction/timeout": 1}, now)
    both = of_harbour(call, now + HOUR)
    assert (both.fetched, both.stored, both.new_versions, both.not_modified) == (6, 2, 1, 1)


def test_requests_without_a_page_count_by_group_and_reason(call, now):
    codes = ["http/404", "http/503", "robots/forbidden", "http/503"]
    asked = [
        pages.FailedRequest.of(f"{SITE}/{number}", "harbour", Failure(code, ""), None, now)
        for number, code in enumerate(codes)
    ]
    resting = pages.FailedRequest.of(f"{SITE}/r", "harbour", Failure("http/500", ""), None, now, was_sent=False)
    call(pages.record_failures, [*asked, resting])
    found = of_harbour(call, now)
    assert (found.failed, found.gone, found.refused, found.fetched) == (2, 1, 1, 0)
    assert (found.failures, found.other_results) == ({"http/503": 2}, {"http/404": 1, "robots/forbidden": 1})
    assert list(found.codes.items()) == [("http/404", 1), ("http/503", 2), ("robots/forbidden", 1)]


def test_a_source_counts_pages_it_announced_first_and_its_own_failure(call, now):
    feed = f"{SITE}/feed"
    named = [Candidate(f"{SITE}/{name}", Discovery("feed", feed)) for name in ("one", "two")]
    for _ in range(2):
        call(record_answer, SourceAnswer("harbour", feed, "feed", 200, now), named, now)
    call(record_failure, "harbour", feed, "feed", "http/503", 503, now)
    call(record_failure, "harbour", feed, "feed", "source/not_read", None, now, was_sent=False)
    found = of_harbour(call, now)
    assert (found.found, found.failed, found.failures) == (2, 1, {"http/503": 1})


def test_the_last_day_has_24_hours(call, now):
    for ago in (0, 23, 24):
        call(add_failures, [("harbour", "http/503")], now - ago * HOUR)
    assert of_harbour(call, now).failed == 2


def test_numbers_are_removed_after_60_days_and_those_of_the_future(call, now):
    for days in (61, 59, -3):
        call(add_failures, [("harbour", "http/503")], now - timedelta(days=days))
    removed = [call(hours.tidy, now), call(hours.tidy, now)]
    assert removed == [2, 0]
    left = [call(hours.last_day, now - timedelta(days=days)) for days in (61, 59, -3)]
    assert [{site: (one.failed, one.failures) for site, one in day.items()} for day in left] == [
        {},
        {"harbour": (1, {"http/503": 1})},
        {},
    ]


def test_the_newest_article_of_28_days_is_told_and_is_forgotten_after_60(call, now):
    call(leases.acquire, "harbour", "anna", now, HOUR)  # which has a row without an article, then
    for site, ago in (("harbour", 30), ("harbour", 5), ("harbour", 9), ("valley", 24 * 40), ("coast", 24 * 61)):
        call(add_numbers, site, now, newest=now - ago * HOUR, found=1)
    newest = call(hours.newest_articles)
    assert newest == {"harbour": now - 5 * HOUR, "valley": now - 960 * HOUR, "coast": now - 1464 * HOUR}
    shown = {site for site, at in newest.items() if at >= hours.begin_of_shown_days(now)}
    assert shown == {"harbour"}
    call(hours.tidy, now)
    assert set(call(hours.newest_articles)) == {"harbour", "valley"}
