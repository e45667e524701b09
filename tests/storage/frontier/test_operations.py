"""Sources, hosts, runs and events: the other rows of a crawl."""

from __future__ import annotations

from datetime import timedelta

from patience import PATIENCE
from source_items import record_answer
from sqlalchemy import text

from newscrawl import reports
from newscrawl.model import Candidate, Discovery
from newscrawl.storage.frontier import pages, sources
from newscrawl.storage.records import SourceAnswer

FEED = "https://harbour.example/feed.xml"


def run(store, function, *args, **kwargs):
    return store.run(function, *args, **kwargs).result(timeout=PATIENCE)


def candidate(url, published=None, source=FEED):
    return Candidate(url, Discovery("feed", source, "A title", published))


def answer(now, **changes):
    return SourceAnswer(**{"site": "harbour", "url": FEED, "kind": "feed", "status": 200, "fetched_at": now} | changes)


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


def test_due_pages_can_be_limited_to_one_domain(store, now):
    urls = ["https://harbour.example/a", "https://other.example/harbour.example/b", "https://news.harbour.example/c"]
    run(store, record_answer, answer(now, site="generic"), [candidate(url) for url in urls], now)
    due = run(store, pages.due, "generic", now, 10, domain="harbour.example")
    assert [page.url for page in due] == [urls[0], urls[2]]
    assert len(run(store, pages.due, "generic", now, 1, domain="harbour.example")) == 1


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
