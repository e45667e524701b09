"""Sources, hosts, runs and events: the other rows of a crawl."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from patience import PATIENCE
from source_items import record_answer, record_event, record_failure, record_page_failure
from sqlalchemy import text

from newscrawl import reports
from newscrawl.errors import InvalidUrl
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.reports.sites import last_runs, totals
from newscrawl.storage.frontier import crawls, hosts, pages, sources
from newscrawl.storage.records import SourceAnswer

FEED = "https://harbour.example/feed.xml"


def run(store, function, *args, **kwargs):
    return store.run(function, *args, **kwargs).result(timeout=PATIENCE)


def candidate(url, published=None, source=FEED):
    return Candidate(url, Discovery("feed", source, "A title", published))


def answer(now, **changes):
    return SourceAnswer(**{"site": "harbour", "url": FEED, "kind": "feed", "status": 200, "fetched_at": now} | changes)


def test_candidates_are_rows_before_they_are_requests_and_survive_a_304(store, now):
    first = answer(now, etag='"v1"', last_modified="Sat, 21 Nov 2026 12:00:00 GMT")
    due = run(store, record_answer, first, [candidate("https://harbour.example/a", now)], now)
    assert [(page.url, page.etag, page.discovery.published) for page in due] == [
        ("https://harbour.example/a", None, now)
    ]
    assert run(store, record_answer, answer(now, status=304), [], now) == []
    (source,) = run(store, sources.load_site, "harbour")
    assert (source.etag, source.last_modified) == ('"v1"', first.last_modified)
    assert (source.answers, source.named, source.new, source.last_status) == (2, 1, 1, 304)
    assert [page.url for page in run(store, pages.due, "harbour", now, 10)] == ["https://harbour.example/a"]


def test_an_answer_with_new_validators_replaces_the_old_ones(store, now):
    run(store, record_answer, answer(now, etag='"v1"', last_modified="then"), [], now)
    run(store, record_answer, answer(now, etag='"v2"'), [], now)
    (source,) = run(store, sources.load_site, "harbour")
    assert (source.etag, source.last_modified) == ('"v2"', None)


def test_spellings_of_one_address_are_one_candidate_and_bad_addresses_are_counted(store, now):
    urls = ["http://www.harbour.example/a?utm_source=x", "https://harbour.example/a#top", "javascript:x", "https://"]
    due = run(store, record_answer, answer(now), [candidate(url) for url in urls], now)
    assert len(due) == 1
    (source,) = run(store, sources.load_site, "harbour")
    assert (source.named, source.new, source.unusable) == (1, 1, 2)


def test_the_watermark_is_the_newest_date_named_that_is_not_in_the_future(store, now):
    dates = [now - timedelta(hours=3), now - timedelta(hours=1), now + timedelta(days=900), None]
    named = [candidate(f"https://harbour.example/{n}", published) for n, published in enumerate(dates)]
    run(store, record_answer, answer(now), named, now)
    run(store, record_answer, answer(now), named[:1], now)
    run(store, record_answer, answer(now), named[3:], now)
    (source,) = run(store, sources.load_site, "harbour")
    assert source.watermark == now - timedelta(hours=1)


def test_a_page_two_sources_name_is_stored_once(store, now):
    run(store, record_answer, answer(now), [candidate("https://harbour.example/a")], now)
    other = answer(now, url="https://harbour.example/map.xml", kind="sitemap")
    again = run(store, record_answer, other, [candidate("https://harbour.example/a")], now)
    assert len(again) == 1  # still not fetched
    assert len(run(store, pages.due, "harbour", now, 10)) == 1


def test_a_declared_site_that_names_a_generic_page_takes_it_over(store, now):
    run(store, record_answer, answer(now, site="generic"), [candidate("https://harbour.example/a")], now)
    run(store, record_answer, answer(now), [candidate("https://harbour.example/a")], now)
    run(store, record_answer, answer(now, site="generic"), [candidate("https://harbour.example/a")], now)
    assert run(store, pages.due, "generic", now, 10) == []
    assert len(run(store, pages.due, "harbour", now, 10)) == 1


def test_a_sitemap_of_thousands_is_one_transaction(store, now):
    named = [candidate(f"https://harbour.example/{n}") for n in range(3_000)]
    assert len(run(store, record_answer, answer(now), named, now)) == 3_000
    assert len(run(store, record_answer, answer(now), named, now)) == 3_000
    assert len(run(store, pages.due, "harbour", now, 10_000)) == 3_000
    assert len(run(store, pages.due, "harbour", now, 7)) == 7


def test_due_pages_can_be_limited_to_one_domain(store, now):
    urls = ["https://harbour.example/a", "https://other.example/harbour.example/b", "https://news.harbour.example/c"]
    run(store, record_answer, answer(now, site="generic"), [candidate(url) for url in urls], now)
    due = run(store, pages.due, "generic", now, 10, domain="harbour.example")
    assert [page.url for page in due] == [urls[0], urls[2]]
    assert len(run(store, pages.due, "generic", now, 1, domain="harbour.example")) == 1


def test_a_source_that_fails_is_due_again_after_growing_pauses(store, now):
    run(store, record_answer, answer(now, etag='"v1"'), [], now)
    pauses = []
    for _ in range(3):
        run(store, record_failure, "harbour", FEED, "feed", "feed/unreadable", 200, now)
        (source,) = run(store, sources.load_site, "harbour")
        pauses.append(source.next_due - now)
    assert pauses == sorted(set(pauses))
    assert (source.failures, source.failure_kind, source.etag) == (3, "feed/unreadable", '"v1"')
    run(store, record_answer, answer(now), [], now)
    (source,) = run(store, sources.load_site, "harbour")
    assert (source.failures, source.failure_kind, source.failing_since) == (0, None, None)


def test_the_newest_twenty_events_of_a_url_are_kept(store, now):
    url = "https://harbour.example/a"
    run(store, record_event, "https://harbour.example/b", "harbour", "robots/forbidden", "Disallow: /b", None, now)
    for n in range(50):
        run(store, record_event, url, "harbour", "http/500", f"attempt {n}", 500, now)
    with store.reading() as connection:
        kept = reports.url_report(connection, url).events
        other = reports.url_report(connection, "https://harbour.example/b")
        assert reports.url_report(connection, "https://harbour.example/unknown") is None
    assert [event.reason for event in kept] == [f"attempt {n}" for n in range(30, 50)]
    assert other.page is None
    assert other.events[0].reason == "Disallow: /b"


def test_an_event_for_what_is_no_url_is_refused(store, now):
    with pytest.raises(InvalidUrl):
        run(store, record_event, "mailto:x@y.example", "harbour", "x", "", None, now)


def test_runs_have_a_start_an_end_and_counters(store, now):
    first = run(store, crawls.add_run, "harbour", now)
    second = run(store, crawls.add_run, "harbour", now + timedelta(hours=1))
    run(store, crawls.finish_run, first, now + timedelta(minutes=9), {"pages": 3, "articles": 2})
    with store.reading() as connection:
        assert last_runs(connection, "harbour").get("harbour").id == second
        assert last_runs(connection, "harbour").get("harbour").finished is None
        assert last_runs(connection, "nobody").get("nobody") is None
    run(store, crawls.finish_run, second, now + timedelta(hours=2), {"articles": 5})
    with store.reading() as connection:
        last = last_runs(connection, "harbour").get("harbour")
    assert (last.started, last.finished, last.counters) == (
        now + timedelta(hours=1),
        now + timedelta(hours=2),
        {"articles": 5},
    )


def test_times_come_back_in_utc_and_naive_ones_are_refused(store, now):
    from datetime import timezone

    east = timezone(timedelta(hours=9))
    far = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
    run(store, hosts.save_robots, hosts.RobotsRow("h", "rules", 200, now.astimezone(east), far))
    back = run(store, hosts.load_robots, "h")
    assert back.fetched_at == now
    assert back.fetched_at.tzinfo is UTC
    assert back.expires_at == far
    with pytest.raises(Exception, match="naive"):
        run(store, hosts.save_robots, hosts.RobotsRow("h", "rules", 200, datetime(2026, 1, 1), far))  # noqa: DTZ001


def test_reports_count_sites_articles_duplicates_fallbacks_and_failures(store, page, now):
    made = [
        page("https://harbour.example/a", "one", trace=()),
        page("https://harbour.example/b", "two", extractor="justext"),
        page("https://harbour.example/c", "one"),
        page("https://other.example/d", "one", site="other"),
        page("https://harbour.example/e"),
    ]
    from dataclasses import replace

    from newscrawl.model import Attempt

    trace = (Attempt("boilerpipe-wide+tree2", 9, 50, False, "too short"), Attempt("justext", 70, 400, True, "longer"))
    made[1] = replace(made[1], article=replace(made[1].article, trace=trace))
    for one in made:
        store.save(one)
    run(store, record_answer, answer(now), [candidate("https://harbour.example/f")], now)
    failure = Failure("http/404", "not found")
    run(store, record_page_failure, "https://harbour.example/g", "harbour", failure, 404, now)
    run_id = run(store, crawls.add_run, "harbour", now)
    run(store, crawls.add_run, "sleepy", now)
    with store.reading() as connection:
        harbour, other, sleepy = totals(connection)
    assert (harbour.site, harbour.pages, harbour.articles, harbour.duplicates) == ("harbour", 6, 2, 1)
    assert (harbour.pending, harbour.failed, harbour.gone) == (1, 1, 1)
    assert harbour.fallback_share == 0.5
    assert harbour.extractors == {"boilerpipe-wide+tree2": 1, "justext": 1}
    assert harbour.failures == {"extraction/timeout": 1}, "pages that are gone are counted apart"
    assert harbour.last_run.id == run_id
    assert (other.articles, other.duplicates, other.fallback_share) == (0, 1, 0.0)
    assert (sleepy.site, sleepy.pages) == ("sleepy", 0)
    with store.reading() as connection:
        story = reports.url_report(connection, "https://harbour.example/b")
    assert story.page.versions[0].fallback is True
    assert story.page.versions[0].trace[0].reason == "too short"


def test_the_story_of_a_url_tells_how_it_was_found_and_what_happened(store, page, now):
    url = "https://harbour.example/a"
    run(store, record_answer, answer(now), [candidate(url, now)], now)
    store.save(page(url, "one"))
    store.save(page("https://other.example/copy", "one"))
    story = None
    store.run(lambda connection: None).result()
    with store.reading() as connection:
        story = reports.url_report(connection, "http://www.harbour.example/a?utm_medium=mail")
    assert [event.kind for event in story.events] == ["found", "stored/inserted"]
    assert FEED in story.events[0].reason
    assert story.page.discovery == Discovery("feed", FEED, "A title", now)
    assert story.page.article.other_pages == ["https://other.example/copy"]
    assert story.page.page.state == "fetched"


def test_export_streams_while_the_store_writes(store, page):
    for n in range(450):
        store.save(page(f"https://harbour.example/{n}", f"item {n}"))
    store.run(lambda connection: None).result()
    with store.reading() as connection:
        exported = reports.articles(connection)
        first = next(exported)
        assert store.save(page("https://harbour.example/late", "late news")).result(timeout=PATIENCE).kind == "inserted"
        rest = list(exported)
    assert first.url == "https://harbour.example/0"
    assert len(rest) == 449


def test_values_are_bound_never_spliced(store, page, now):
    nasty = "'; DROP TABLE pages; --%_\\ \" $$ :x ?"
    store.save(page("https://harbour.example/a?q='%3B", nasty, site=nasty, authors=(nasty,), tags=(nasty,))).result(
        timeout=PATIENCE
    )
    with store.reading() as connection:
        (article,) = reports.articles(connection)
        assert connection.execute(text("SELECT count(*) FROM pages")).scalar() == 1
    assert nasty in article.text
    assert (article.site, article.authors, article.tags) == (nasty, (nasty,), (nasty,))
