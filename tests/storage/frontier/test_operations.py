"""Sources, hosts, runs and events: the other rows of a crawl. What commands decided about sites, and what these
declare."""

from __future__ import annotations

from datetime import datetime, timedelta

from patience import PATIENCE
from source_items import record_answer
from sqlalchemy import select, text

from newscrawl import reports
from newscrawl.model import Candidate, Discovery
from newscrawl.storage.frontier import leases, pages, sites, sources
from newscrawl.storage.frontier.sites import AppliedSetting, SiteDeclaration
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import forget
from newscrawl.storage.store import Store
from newscrawl.storage.tables.frontier import sites as sites_table

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


HOUR = timedelta(hours=1)
SETTINGS = (AppliedSetting("delay", "3.0", "the site's file"), AppliedSetting("cron", "", "default"))
TOWN = SiteDeclaration("town", "https://town.example/", "en", "uk", (r"/\d{4}/",), SETTINGS)


def test_a_forgotten_site_keeps_its_row_because_its_token_must_grow(call, now):
    first = call(leases.acquire, "harbour", "anna", now, HOUR)
    call(leases.release, first)
    call(forget.forget_site, "harbour", now)
    assert call(leases.acquire, "harbour", "bert", now, HOUR).token == first.token + 1


def test_a_decision_or_a_declaration_alone_is_no_crawl(store: Store, now: datetime) -> None:
    store.run(sites.pause, "harbour", None, now).result(PATIENCE)
    declare(store, TOWN, now)
    with store.reading() as connection:
        assert connection.execute(text("SELECT * FROM site_health")).all() == []


def test_the_few_decided_and_the_few_leased_sites_are_found_by_indexes(store: Store, now: datetime) -> None:
    """Every process reads them every few seconds."""
    with store.reading() as connection:
        explain = "EXPLAIN QUERY PLAN"
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            explain = "EXPLAIN"
        leased = select(sites_table.c.site).where(leases.in_force(now))
        for query, index in (
            (select(sites_table.c.site).where(sites.IS_DECIDED), "ix_sites_decided"),
            (sites.paused_sites(now), "ix_sites_decided"),
            (leased, "ix_sites_owned"),
        ):
            written = query.compile(connection, compile_kwargs={"literal_binds": True})
            assert index in str(connection.execute(text(f"{explain} {written}")).all())


def declare(store: Store, declared: SiteDeclaration, at: datetime) -> None:
    store.run(sites.declare, declared, at).result(PATIENCE)
