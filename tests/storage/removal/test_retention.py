"""Rows that are too old are removed, site by site, and no others. The change feed reports it in the same
transaction."""

from __future__ import annotations

from datetime import timedelta

from kinds_of_databases import ON_SQLITE
from patience import PATIENCE
from source_items import record_answer, record_event
from sqlalchemy import select

from newscrawl import reports
from newscrawl.model import Candidate, Discovery
from newscrawl.reports import history
from newscrawl.storage import events
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import pages
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import retention
from newscrawl.storage.removal.retention import RetentionLimits, RetentionTimes
from newscrawl.storage.tables.articles import articles, headlines, versions

pytestmark = ON_SQLITE

URL = "https://harbour.example/a"
OTHER = "https://other.example/b"
FEED = "https://harbour.example/feed.xml"
DAY = timedelta(days=1)


def expire(store, keep, now, sites=None):
    kept = RetentionLimits(keep, sites or {})
    with store.reading() as connection:
        found = [
            retention.old_pages(connection, after, kept, now)
            for after in range(0, retention.last_page(connection), retention.SPAN)
        ]
    removed = store.run(retention.expire, 0, kept, now).result(timeout=PATIENCE)
    assert removed.pages == sum(len(old.pages) for old in found)
    return removed


def count(store, table):
    with store.reading() as connection:
        return len(connection.execute(select(table)).all())


def feed(store, after=0):
    with store.reading() as connection:
        return [(change.op, change.article_id) for change in changes.read(connection, after, 1_000)]


def announce(store, now, url=URL):
    answer = SourceAnswer("harbour", FEED, "feed", 200, now)
    return store.run(record_answer, answer, [Candidate(url, Discovery("feed", FEED))], now).result(timeout=PATIENCE)


def test_an_old_article_goes_with_all_it_had_and_its_page_does_not_bring_it_back(save, store, page, now):
    announce(store, now)
    (first,) = save(page(URL, "one"))
    (second,) = save(page(URL, "two", fetched_at=now + DAY))
    (young,) = save(page("https://harbour.example/young", "three", fetched_at=now + 5 * DAY))
    later = now + 12 * DAY
    assert expire(store, RetentionTimes(articles=10 * DAY), later) == retention.Removed(pages=1, versions=0, articles=2)
    assert feed(store)[-2:] == [("remove", first.article_id), ("remove", second.article_id)]
    assert announce(store, later) == []
    with store.reading() as connection:
        assert [article.id for article in reports.articles(connection)] == [young.article_id]
        told = reports.url_report(connection, URL)
        assert (told.page.page.state, told.page.article, told.page.versions) == ("expired", None, [])
        assert (told.events[-1].kind, told.events[-1].reason) == ("stored/expired", "older than 10 days")
        assert pages.due(connection, "harbour", later + 1_000 * DAY, 99) == []
    assert count(store, articles) == count(store, versions) == 1
    assert expire(store, RetentionTimes(articles=10 * DAY), later) == retention.Removed(0, 0, 0)


def test_an_article_counts_from_when_its_page_last_changed(save, store, page, now):
    save(page(URL, "one"))
    save(page(URL, "two", fetched_at=now + DAY))
    save(page(URL, "one", fetched_at=now + 9 * DAY))  # back to the first text
    assert not expire(store, RetentionTimes(articles=5 * DAY), now + 12 * DAY).pages


def test_a_text_that_another_site_keeps_stays_there(save, store, page, now):
    (first, _) = save(page(URL, "one"), page(OTHER, "one", site="other"))
    removed = expire(store, RetentionTimes(articles=DAY), now + 9 * DAY, {"other": RetentionTimes()})
    assert removed == retention.Removed(1, 0, 0)
    assert feed(store)[-1] == ("upsert", first.article_id)
    with store.reading() as connection:
        (article,) = reports.articles(connection)
        assert article.pages == (OTHER,)


def test_earlier_versions_and_headlines_go_and_what_is_shown_stays(save, store, page, now):
    for day, (text, title) in enumerate([("one", "A"), ("two", "A"), ("two", "B"), ("two", "C")]):
        save(page(URL, text, title=title, fetched_at=now + day * DAY))
    with store.reading() as connection:
        assert len(history.history(connection, URL).versions) == 4
    removed = expire(store, RetentionTimes(versions=7 * DAY), now + 9 * DAY)
    assert (removed.pages, removed.versions, removed.articles) == (0, 2, 1)
    with store.reading() as connection:
        told = history.history(connection, URL)
        assert [one.title for one in told.versions] == ["B", "C"]
    expire(store, RetentionTimes(versions=DAY), now + 99 * DAY)
    assert count(store, headlines) == count(store, versions) == count(store, articles) == 1


def test_events_are_kept_as_long_as_their_site_says(store, now):
    for site in ("harbour", "other"):
        for day in range(4):
            url = f"https://{site}.example/{day}"
            store.run(record_event, url, site, "http/503", "", 503, now + day * DAY).result(timeout=PATIENCE)
    kept = RetentionLimits(RetentionTimes(events=DAY), {"other": RetentionTimes(events=3 * DAY)})
    with store.reading() as connection:
        ids = retention.old_events(connection, "events", 0, kept, now + 4 * DAY)
    assert store.run(retention.remove_events, "events", ids).result(timeout=PATIENCE) == 4
    with store.reading() as connection:
        addresses = [f"https://{site}.example/{day}" for site in ("harbour", "other") for day in range(4)]
        left = {(event.site, (event.at - now).days) for event in events.load_urls(connection, addresses)}
        assert left == {("harbour", 3), ("other", 1), ("other", 2), ("other", 3)}
