"""The reason of a failure decides when the page is requested again."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE
from patience import PATIENCE
from pool_work import misbehave
from source_items import record_answer, record_page_failure

from newscrawl.crawling.scheduling.revisit import MAX_RETRY_PAUSE, next_due_after_failure
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import Candidate, Discovery, Failure, RawPage
from newscrawl.storage.frontier import pages
from newscrawl.storage.records import SourceAnswer
from newscrawl.workers.extraction_pool import ExtractionPool

PAGE = "https://harbour.example/a"


@pytest.mark.parametrize("kind", ["security/scheme", "content/not_html", "http/451"])
def test_what_no_waiting_changes_is_never_tried_again(kind, now):
    assert next_due_after_failure(kind, 1, now) is None


@pytest.mark.parametrize(
    "kind", ["http/500", "extraction/timeout", "download/timeout", "download/dns", "anything/unforeseen"]
)
def test_what_may_pass_is_tried_again_soon_then_ever_later_then_never(kind, now):
    pauses = [next_due_after_failure(kind, failures, now) - now for failures in range(1, 8)]
    assert pauses == sorted(set(pauses))
    assert pauses[0] <= timedelta(hours=1)
    assert max(pauses) <= MAX_RETRY_PAUSE
    assert next_due_after_failure(kind, 8, now) is None


@pytest.mark.parametrize("kind", ["robots/forbidden", "http/403", "download/too_large", "redirect/offsite"])
def test_what_changes_slowly_is_tried_a_few_times_over_days(kind, now):
    assert next_due_after_failure(kind, 1, now) - now >= timedelta(days=1)
    assert next_due_after_failure(kind, 4, now) is None


@ON_SQLITE
def test_a_request_that_was_not_liked_is_repeated_once_without_validators(store, page, now):
    def run(function, *args):
        return store.run(function, *args).result(timeout=PATIENCE)

    store.save(page(PAGE, "the ferry", headers={"etag": '"v1"'})).result(timeout=PATIENCE)
    run(record_page_failure, PAGE, "harbour", Failure("http/412", "precondition failed"), 412, now)
    (again,) = run(pages.due, "harbour", now + timedelta(minutes=10), 10)
    assert (again.url, again.etag) == (PAGE, None)
    run(record_page_failure, PAGE, "harbour", Failure("http/412", "precondition failed"), 412, now)
    assert run(pages.due, "harbour", now + timedelta(minutes=20), 10) == []


@ON_SQLITE
def test_a_page_whose_worker_was_killed_is_tried_again_in_a_minute_and_then_as_after_any_failure(store, now):
    def due_after(minutes):
        return len(store.run(pages.due, "harbour", now + timedelta(minutes=minutes), 10).result(timeout=PATIENCE))

    def visit(minutes):
        raw = RawPage(PAGE, PAGE, 200, {}, b"die", now + timedelta(minutes=minutes), "harbour")
        failed = asyncio.run(pool.extract(raw))
        assert failed.failure is not None
        assert failed.failure.code == "extraction/worker_died"
        store.save(failed).result(timeout=PATIENCE)

    with closing(ExtractionPool(ArticleOptions(), timeout=PATIENCE, memory_mb=1024, work=misbehave)) as pool:
        visit(0)
        assert (due_after(0.5), due_after(1)) == (0, 1)
        visit(1)
        assert (due_after(31), due_after(61)) == (0, 1)


@ON_SQLITE
def test_a_page_that_is_named_again_is_not_fetched_before_its_time(store, now):
    def run(function, *args):
        return store.run(function, *args).result(timeout=PATIENCE)

    feed = SourceAnswer("harbour", "https://harbour.example/feed", "feed", 200, now)
    named = [Candidate(PAGE, Discovery("feed", feed.url))]
    assert len(run(record_answer, feed, named, now)) == 1
    run(record_page_failure, PAGE, "harbour", Failure("robots/forbidden", "Disallow: /"), None, now)
    assert run(record_answer, feed, named, now + timedelta(days=1)) == []
    assert len(run(record_answer, feed, named, now + timedelta(days=8))) == 1
