"""Reports: failing sources, the history of a source, the metadata of an exported article."""

from __future__ import annotations

from datetime import timedelta

import pytest
from source_items import record_answer, record_failure

from newscrawl import reports
from newscrawl.model import PublishedDate
from newscrawl.reports.sites import site_names
from newscrawl.reports.sources import failing_sources
from newscrawl.storage.frontier import crawls
from newscrawl.storage.records import SourceAnswer

FEED = "https://harbour.example/feed.xml"


@pytest.fixture
def told(store):
    """What a function of `reports` says of the store."""

    def ask(function, *args):
        store.flush()
        with store.reading() as connection:
            found = function(connection, *args)
            return found if isinstance(found, list | reports.UrlReport | None) else list(found)

    return ask


def fails(store, now, times=1):
    for day in range(times):
        at = now + timedelta(days=day)
        store.run(record_failure, "harbour", FEED, "feed", "http/503", 503, at).result()


def test_a_failing_source_is_listed_with_its_reason_until_it_answers(store, told, now):
    fails(store, now, 2)
    (failing,) = told(failing_sources)
    assert (failing.url, failing.failures, failing.failure_kind, failing.last_status) == (FEED, 2, "http/503", 503)
    answer = SourceAnswer("harbour", FEED, "feed", 200, now + timedelta(days=3), '"1"', None)
    store.run(record_answer, answer, [], now + timedelta(days=3)).result()
    assert told(failing_sources) == []


def test_a_source_has_a_story_in_any_spelling_of_its_address(store, told, now):
    fails(store, now)
    story = told(reports.url_report, FEED.replace("https://", "HTTPS://"))
    assert story.page is None
    assert [source.url for source in story.sources] == [FEED]
    assert [event.kind for event in story.events] == ["http/503"]


def test_a_source_that_never_failed_has_a_story_too(store, told, now):
    answer = SourceAnswer("harbour", FEED, "feed", 200, now, None, None)
    store.run(record_answer, answer, [], now).result()
    (source,) = told(reports.url_report, FEED).sources
    assert (source.answers, source.failures, source.last_fetched) == (1, 0, now)


def test_an_article_leaves_with_the_metadata_of_the_page_that_states_most(store, told, page, now):
    date = PublishedDate(now, "meta:article:published_time", "minute")
    bare, full, late = (f"https://harbour.example/{name}" for name in ("print", "story", "again"))
    store.save(page(bare, "one", title="Print")).result()
    store.save(page(full, "one", title="Full", authors=("A. Writer",), published=date)).result()
    store.save(page(late, "one", title="Late", authors=("B. Writer",), published=date)).result()
    (article,) = told(reports.articles)
    assert (article.url, article.title, article.authors) == (full, "Full", ("A. Writer",))
    assert article.pages == (bare, full, late)


def test_another_sites_page_does_not_speak_for_the_article_of_the_first(store, told, page, now):
    date = PublishedDate(now, "meta:article:published_time", "minute")
    store.save(page("https://harbour.example/a", "one", title="First")).result()
    store.save(page("https://inland.example/a", "one", title="Copy", site="inland", published=date)).result()
    (article,) = told(reports.articles)
    assert (article.site, article.title, len(article.pages)) == ("harbour", "First", 2)


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        pytest.param(0, None, True, id="the day of the page shown first"),
        pytest.param(5, 6, True, id="the day of a later page"),
        pytest.param(9, None, True, id="the publication that a page states"),
        pytest.param(10, None, False, id="after all of them"),
        pytest.param(None, 0, False, id="before all of them"),
        pytest.param(1, 5, False, id="between two of them"),
    ],
)
def test_a_span_of_time_finds_an_article_through_any_page_that_shows_it(store, told, page, now, since, until, found):
    def day(number):
        return None if number is None else now + timedelta(days=number)

    store.save(page("https://harbour.example/a", "one", fetched_at=now)).result()
    store.save(page("https://inland.example/a", "one", site="inland", fetched_at=day(5))).result()
    date = PublishedDate(day(9), "meta:article:published_time", "minute")
    store.save(page("https://island.example/a", "one", site="island", fetched_at=day(6), published=date)).result()
    stated = told(reports.articles, reports.ArticleSelection(period=reports.Period(day(since), day(until))))
    assert [article.url for article in stated] == (["https://harbour.example/a"] if found else [])


def test_the_names_of_sites_are_those_with_pages_or_runs(store, told, page, now):
    store.save(page("https://harbour.example/a", "one")).result()
    store.run(crawls.add_run, "inland", now).result()
    assert told(site_names) == ["harbour", "inland"]
